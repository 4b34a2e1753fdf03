import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../errors.ts';
import type { Statement } from '../../sink.ts';
import { otherName, quoteName } from '../../sql/names.ts';
import { type Table, tableName } from '../../table.ts';
import { Session } from './connect.ts';
import { engineError, lackOf } from './errors.ts';
import { literal } from './literal.ts';
import { singleQuoted } from './single-quoted.ts';
import { describe, isSameName } from './tables.ts';

/** A table and what belongs to it, as stored in `sqlite_schema`. */
interface Schema {
  table: string;
  columns: { name: string; isNotNull: boolean }[];
  indexes: { name: string; sql: string }[];
  /** The last AUTOINCREMENT value; undefined if the table has none. */
  sequence: bigint | undefined;
}

/** What only the application's own connections can create. */
interface Lacking {
  /** Why, if it is the table itself. */
  table: string | undefined;
  indexes: { name: string; sql: string; lacks: string }[];
}

/** The statements that created a table at the source. @throws EngineError if it is gone */
export function schemaOf(session: Session, { name }: Table): Schema {
  const [sql] = session.row("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", name) ?? [];
  if (typeof sql !== 'string') throw new EngineError('TABLE_MISSING', { side: 'source', table: name });
  const counts = session.row("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") !== undefined;
  const [sequence] = counts ? (session.row('SELECT seq FROM sqlite_sequence WHERE name = ?', name) ?? []) : [];
  return {
    table: sql,
    columns: session
      .rows('SELECT name, "notnull" FROM pragma_table_xinfo(?, \'main\') WHERE hidden <> 1 ORDER BY cid', name)
      .map(([column, notNull]) => ({ name: String(column), isNotNull: notNull === 1n })),
    indexes: session
      .rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", name)
      .map(([index, text]) => ({ name: String(index), sql: String(text) })),
    sequence: typeof sequence === 'bigint' ? sequence : undefined,
  };
}

/**
 * The statements that create tables at a target. They are built in an empty database from the source's statements and
 * the renames, so that SQLite itself corrects references, conditions and indexes.
 */
export function structureStatements(
  sources: readonly { table: Table; schema: Schema }[],
  targets: readonly Table[],
  have: readonly Table[],
): Statement[] {
  const database = new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true, defensive: true });
  try {
    const session = new Session(database);
    const lacking = sources.map(({ table, schema }) => attempt(table, () => build(session, table, schema)));
    for (const [place, { table }] of sources.entries()) {
      attempt(table, () => shape(session, table, targets[place] ?? table));
    }
    const renamed = sources.map(({ table }, place) => ({ from: table, to: targets[place] ?? table }));
    const changed = renamed.filter(({ from, to }) => from.name !== to.name);
    // In two steps, since one table may take another's name.
    for (const [place, { from }] of changed.entries())
      attempt(from, () => rename(session, from.name, `millrace ${place}`));
    for (const [place, { from, to }] of changed.entries())
      attempt(from, () => rename(session, `millrace ${place}`, to.name));
    return sources.flatMap(({ table, schema }, place) => {
      const target = targets[place] ?? table;
      const exists = have.some(({ name }) => isSameName(name, target.name));
      return statementsOf(session, target, schema, { exists, ...lacking[place] });
    });
  } finally {
    database.close();
  }
}

/** Creates a table and its indexes as far as this is possible without the application. */
function build(session: Session, { name }: Table, { table, columns, indexes }: Schema): Lacking {
  const [tableSql = table, ...indexSql] = singleQuoted([table, ...indexes.map(({ sql }) => sql)]);
  const lacks = lackIn('it', () => session.run(tableSql));
  // In its place one with the same names, since indexes and other tables refer to them, and a key is NOT NULL.
  const cells = columns.map((column) => `${quoteName(column.name)}${column.isNotNull ? ' NOT NULL' : ''}`);
  if (lacks !== undefined) session.run(`CREATE TABLE ${quoteName(name)} (${cells.join(', ')})`);
  const refused = indexes.flatMap((index, place) => {
    const why = lackIn(`the index ${index.name}`, () => session.run(indexSql[place] ?? index.sql));
    return why === undefined ? [] : [{ ...index, lacks: why }];
  });
  return { table: lacks, indexes: refused };
}

/** Runs a statement. @returns what it lacks, if it is refused for that */
function lackIn(what: string, run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    const lacks = lackOf(error, what);
    if (lacks === undefined) throw error;
    return lacks;
  }
}

/** Drops and renames columns. */
function shape(session: Session, table: Table, target: Table): void {
  const { name, columns } = table;
  for (const { name: column } of describe(session, name)?.table.columns ?? [])
    if (!columns.some((one) => isSameName(one.name, column))) leaveOut(session, name, column);
  for (const [place, column] of columns.entries()) {
    const wanted = target.columns[place]?.name ?? column.name;
    if (wanted !== column.name) renameColumn(session, name, column.name, `millrace ${place}`);
  }
  for (const [place, column] of columns.entries()) {
    const wanted = target.columns[place]?.name ?? column.name;
    if (wanted !== column.name) renameColumn(session, name, `millrace ${place}`, wanted);
  }
}

/** Drops a column and its indexes; a column that SQLite needs for the table's own conditions stays, and stays empty. */
function leaveOut(session: Session, table: string, column: string): void {
  const indexes = session.rows(
    `SELECT DISTINCT l.name FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x
     WHERE l.origin = 'c' AND (l.partial = 1 OR x.cid = -2 OR x.name = ? COLLATE NOCASE)`,
    table,
    column,
  );
  session.run('SAVEPOINT leaving');
  try {
    for (const [index] of indexes) session.run(`DROP INDEX ${quoteName(String(index))}`);
    session.run(`ALTER TABLE ${quoteName(table)} DROP COLUMN ${quoteName(column)}`);
  } catch {
    // A key, a unique constraint, a check or another column depends on it.
    session.run('ROLLBACK TO leaving');
  }
  session.run('RELEASE leaving');
}

function rename(session: Session, from: string, to: string): void {
  session.run(`ALTER TABLE ${quoteName(from)} RENAME TO ${quoteName(to)}`);
}

function renameColumn(session: Session, table: string, from: string, to: string): void {
  session.run(`ALTER TABLE ${quoteName(table)} RENAME COLUMN ${quoteName(from)} TO ${quoteName(to)}`);
}

function statementsOf(
  session: Session,
  target: Table,
  { table, sequence }: Schema,
  { exists, table: lacks, indexes = [] }: { exists: boolean } & Partial<Lacking>,
): Statement[] {
  const common = { table: tableName(target), exists };
  const create: Statement = {
    ...common,
    kind: 'table',
    phase: 'before',
    sql: table,
    ...(!exists && refusedFor(lacks)),
  };
  if (create.lacks !== undefined) return [create];
  const made = schemaOf(session, target);
  const key = describe(session, target.name)?.key;
  return [
    lacks === undefined ? { ...create, sql: made.table } : create,
    ...made.indexes.map(({ name, sql }): Statement => {
      const isKey = name === key;
      return {
        ...common,
        kind: isKey ? 'key' : 'index',
        phase: isKey ? 'before' : 'after',
        ...underName(target, name, sql),
        exists: false,
      };
    }),
    ...indexes.map(
      ({ name, sql, lacks: why }): Statement => ({
        ...common,
        kind: 'index',
        phase: 'after',
        ...underName(target, name, sql),
        ...refusedFor(why),
        exists: false,
      }),
    ),
    ...(sequence === undefined ? [] : sequenceStatements(target, sequence)),
  ];
}

/** What marks a statement that the target cannot run. */
function refusedFor(lacks: string | undefined): Pick<Statement, 'lacks' | 'note'> {
  return lacks === undefined ? {} : { lacks, note: `The target cannot have it: ${lacks}.` };
}

/** The AUTOINCREMENT counter never goes back; copied rows have already advanced it. */
function sequenceStatements(target: Table, sequence: bigint): Statement[] {
  const name = literal(target.name);
  const common = { kind: 'sequence', phase: 'after', table: tableName(target), exists: false } as const;
  return [
    {
      ...common,
      sql: `INSERT INTO sqlite_sequence (name, seq) SELECT ${name}, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${name})`,
    },
    { ...common, sql: `UPDATE sqlite_sequence SET seq = ${sequence} WHERE name = ${name} AND seq < ${sequence}` },
  ];
}

/** A CREATE INDEX as SQLite stores it: up to the name, and the name as it was written. */
const head = /^(CREATE (?:UNIQUE )?INDEX )("(?:[^"]|"")*"|`(?:[^`]|``)*`|'(?:[^']|'')*'|\[[^\]]*\]|[^\s"`'[]+)/;

/** An index keeps its name unless something else has it; one that the table already has is left as it is. */
function underName(target: Table, name: string, sql: string): Pick<Statement, 'sql' | 'named'> {
  const under = (own: string) => sql.replace(head, (_, start) => `${start}IF NOT EXISTS ${own}`);
  const otherwise = { sql: under(quoteName(otherName(target, name))) };
  const [, , written = ''] = head.exec(sql) ?? [];
  return { sql: under(written), named: { schema: target.schema, table: target.name, name, otherwise } };
}

function attempt<T>(table: Table, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw engineError(error, { side: 'source', table: tableName(table) });
  }
}
