import type { SQLOutputValue } from 'node:sqlite';
import type { Named } from '../../sink.ts';
import { quoteName } from '../../sql/names.ts';
import { type Column, type Table, tableName } from '../../table.ts';
import { declaredCollations } from './collations.ts';
import type { Session } from './connect.ts';

/** The only schema: other files are never attached. */
export const schema = 'main';

/** One unique index of a table: the primary key, a constraint, or one from CREATE UNIQUE INDEX. */
export interface UniqueIndex {
  name: string;
  /** Null stands for an expression. */
  columns: readonly { name: string | null; collation: string }[];
  partial: boolean;
}

/** What a table's schema says besides its columns. */
export interface Description {
  table: Table;
  /** Every unique index except the key's, with the INTEGER PRIMARY KEY as if it had one. */
  unique: readonly UniqueIndex[];
  /** Name of the key's index; undefined if there is no key. */
  key: string | undefined;
  withoutRowid: boolean;
  /** The rowid is a column: INTEGER PRIMARY KEY. */
  rowidIsKey: boolean;
  /** Whether there is a primary key that is not a key, since it allows NULL. */
  nullablePrimaryKey: boolean;
  /** A column whose collation keeps its index from being the key: a condition on the column finds other rows. */
  comparedOtherwise: string | undefined;
  /** The columns' declared collations, by name; without those that only the application knows. */
  collations: ReadonlyMap<string, string>;
  /** What REPLACE stores instead of NULL in NOT NULL columns, by name, as declared. */
  defaults: ReadonlyMap<string, string>;
}

/** Whether two names mean the same table, column or index. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Names of user tables in these schemas (all if empty): no virtual tables, and neither SQLite's nor ours. */
export function tableNames(session: Session, schemas: readonly string[]): string[] {
  if (schemas.length > 0 && !schemas.includes(schema)) return [];
  return session
    .rows("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
    .map(([name]) => text(name))
    .filter((name) => !name.startsWith('sqlite_') && !name.startsWith('millrace_'));
}

/** What has these names and is none of the tables that a job can carry, by table name. */
export function readNamesakes(session: Session, tables: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(
    tables.flatMap((table): [string, string][] => {
      const [type] =
        session.row(
          `SELECT CASE WHEN s.type = 'table' THEN l.type ELSE s.type END FROM sqlite_schema AS s
            LEFT JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name
            WHERE s.name = ? COLLATE NOCASE AND s.type <> 'trigger'`,
          table.name,
        ) ?? [];
      const what = namesakes[String(type)];
      return table.schema === schema && what !== undefined ? [[tableName(table), what]] : [];
    }),
  );
}

const namesakes: Record<string, string> = {
  view: 'a view',
  virtual: 'a virtual table',
  shadow: 'a table of a virtual table',
  index: 'an index',
};

/** A table as it is now; undefined if there is none with that name. */
export function describe(session: Session, name: string): Description | undefined {
  const options = session.row(
    "SELECT wr, strict, name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND lower(name) = lower(?)",
    name,
  );
  if (!options) return undefined;
  const [withoutRowid, strict] = options.map((option) => option === 1n);
  const [sql] = session.row("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", text(options[2])) ?? [];
  const said = session.rows(
    'SELECT name, type, "notnull", pk, hidden, dflt_value FROM pragma_table_xinfo(?, \'main\') WHERE hidden <> 1 ORDER BY cid',
    name,
  );
  const primary = said
    .map(([, , , place], index) => ({ place: Number(place), index }))
    .filter(({ place }) => place > 0)
    .sort((one, other) => one.place - other.place)
    .map(({ index }) => index);
  const indexes = uniqueIndexes(session, name);
  const alias = !withoutRowid && primary.length === 1 && !indexes.some(({ origin }) => origin === 'pk');
  const collations = declaredCollations(
    text(options[2]),
    text(sql),
    said.map(([columnName]) => text(columnName)),
  );
  const columns = said.map(
    ([columnName, type, notNull, place, hidden]): Column => ({
      name: text(columnName),
      type: text(type),
      nullable: notNull === 0n && !(Number(place) > 0 && (alias || withoutRowid === true || strict === true)),
      generated: hidden !== 0n,
      equality: `${affinityOf(text(type), strict === true)} ${collations.get(text(columnName)) ?? 'unknown'}`,
    }),
  );
  const primaryKey = alias
    ? [
        {
          name: '',
          columns: primary.map((index) => ({ name: columns[index]?.name ?? '', collation: 'BINARY' })),
          partial: false,
        },
      ]
    : indexes.filter(({ origin }) => origin === 'pk');
  const unique: UniqueIndex[] = [...primaryKey, ...indexes.filter(({ origin }) => origin !== 'pk')];
  const named = unique.filter((index) => identifies(index, columns));
  const key = named.find((index) => alias || comparedOtherwise(index, collations) === undefined);
  const others = unique.filter((index) => index !== key);
  return {
    table: {
      id: text(options[2]),
      schema,
      name: text(options[2]),
      columns,
      key: (key?.columns ?? []).map((part) => columns.findIndex((column) => column.name === part.name)),
      ordered: true,
      uniques: [...(key ? [key] : []), ...others].map((index) => collationsOf(index, columns)),
      exactKey: alias || (key?.columns.every((part) => isExact(part, columns)) ?? false),
    },
    unique: others,
    key: key?.name,
    withoutRowid: withoutRowid === true,
    rowidIsKey: alias,
    nullablePrimaryKey: named.length === 0 && primary.length > 0,
    comparedOtherwise: key || !named[0] ? undefined : comparedOtherwise(named[0], collations),
    collations,
    defaults: new Map(
      said.flatMap(([columnName, , notNull, , , value]): [string, string][] =>
        notNull === 1n && typeof value === 'string' ? [[text(columnName), value]] : [],
      ),
    ),
  };
}

/**
 * Whether a target column would convert the source column's values when storing them: any affinity except NONE does.
 */
export function converts(source: Pick<Column, 'equality'>, target: Pick<Column, 'equality'>): boolean {
  const [from, to] = [comparisonOf(source).affinity, comparisonOf(target).affinity];
  return from !== undefined && from !== to && to !== 'NONE';
}

/** A column's affinity and declared collation, as `describe` wrote them; undefined if unknown. */
export function comparisonOf({ equality }: Pick<Column, 'equality'>): {
  affinity: string | undefined;
  collation: string | undefined;
} {
  const [affinity, collation] = equality?.split(' ') ?? [];
  return { affinity, collation: collation === 'unknown' ? undefined : collation };
}

/** The bytes of each table, by name. It visits every page of the file. */
export function bytesOfTables(session: Session): Map<string, number> {
  return new Map(
    session
      .rows("SELECT name, sum(pgsize) FROM dbstat('main', 1) GROUP BY name")
      .map(([name, size]) => [text(name), Number(size)]),
  );
}

/** A name for the rowid that no column hides; undefined if all are hidden or there is no rowid. */
export function rowidName({ table, withoutRowid }: Description): string | undefined {
  if (withoutRowid) return undefined;
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
}

/** A table's rows: the largest rowid, or their count if there is none. */
export function estimate(session: Session, description: Description): number {
  const rowid = rowidName(description);
  const { name } = description.table;
  const rows = session.row(`SELECT ${rowid ? `max(${rowid})` : 'count(*)'} FROM ${quoteName(name)}`)?.[0];
  return Number(rows ?? 0);
}

function uniqueIndexes(session: Session, table: string): (UniqueIndex & { origin: string })[] {
  return session
    .rows('SELECT name, origin, partial FROM pragma_index_list(?, \'main\') WHERE "unique" ORDER BY seq DESC', table)
    .map(([name, origin, partial]) => ({
      name: text(name),
      origin: text(origin),
      partial: partial === 1n,
      columns: session
        .rows("SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno", text(name))
        .map(([column, collation]) => ({ name: column === null ? null : text(column), collation: text(collation) })),
    }));
}

/** Whether every row has its own values in the index, none of them NULL. */
function identifies({ columns: parts, partial }: UniqueIndex, columns: readonly Column[]): boolean {
  if (partial) return false;
  return parts.every(({ name }) => {
    const column = columns.find((one) => one.name === name);
    return column !== undefined && !column.nullable && !column.generated;
  });
}

/** The first column of an index whose collation there differs from its declared one. */
export function comparedOtherwise(
  { columns: parts }: Pick<UniqueIndex, 'columns'>,
  collations: ReadonlyMap<string, string>,
): string | undefined {
  return parts.find(({ name, collation }) => collations.get(name ?? '') !== collation.toUpperCase())?.name ?? undefined;
}

/** Expressions are left out: what they make equal is part of both tables' own definitions. */
function collationsOf({ columns: parts }: UniqueIndex, columns: readonly Column[]) {
  return parts.flatMap(({ name, collation }) => {
    const column = columns.findIndex((one) => one.name === name);
    return column === -1 ? [] : [{ column, collation: collation.toUpperCase() }];
  });
}

/**
 * Whether equal values of an index column have equal cells: a collation can make different texts equal; without an
 * affinity, 1 equals 1.0; with REAL affinity, 0 equals -0.
 */
function isExact({ name, collation }: UniqueIndex['columns'][number], columns: readonly Column[]): boolean {
  const equality = columns.find((column) => column.name === name)?.equality;
  return collation === 'BINARY' && (equality === 'TEXT BINARY' || equality === 'NUMERIC BINARY');
}

/**
 * A column's affinity, by SQLite's rules in their order: section 3.1 of its "Datatypes". INTEGER and NUMERIC differ
 * only in CAST.
 */
function affinityOf(type: string, strict: boolean): 'NUMERIC' | 'TEXT' | 'NONE' | 'REAL' {
  if (/INT/i.test(type)) return 'NUMERIC';
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'TEXT';
  if (type === '' || /BLOB/i.test(type) || (strict && /^ANY$/i.test(type))) return 'NONE';
  return /REAL|FLOA|DOUB/i.test(type) ? 'REAL' : 'NUMERIC';
}

function text(value: SQLOutputValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new TypeError("SQLite's schema returned no text where it always does.");
}
