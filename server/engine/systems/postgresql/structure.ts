import pg from 'pg';
import { EngineError } from '../../errors.ts';
import type { DatabaseObject, Statement, StatementText } from '../../sink.ts';
import { otherName, quoteName, quoteTable } from '../../sql/names.ts';
import { type Table, tableName } from '../../table.ts';
import { indexDefinition } from './index-names.ts';
import { createSequence, sequenceOptions, setSequence } from './structure-sequences.ts';
import {
  type ColumnStructure,
  type ConstraintStructure,
  type DivisionStructure,
  type IndexStructure,
  readTableStructures,
  type SequenceStructure,
  type TableStructure,
} from './structure-tables.ts';
import { typeStatements } from './structure-types.ts';

/** One table on its way from source to target. */
interface Way {
  source: TableStructure;
  target: Table;
  /** The same table at the target, if it exists. */
  have: Table | undefined;
  /** The target's column names by the source's. */
  names: ReadonlyMap<string, string>;
  isRenamed: boolean;
  /** Whether source columns are left out. */
  isPartial: boolean;
  /** IDs of all the job's tables: foreign keys to other tables are not replicated. */
  beside: ReadonlySet<string>;
  /**
   * Rows arrive meanwhile, so nothing may block writers for more than a moment; not possible for a partitioned table.
   */
  besideWriters: boolean;
}

/**
 * The statements that create source tables at a target: schemas, types, sequences, tables and keys before the copy, the
 * rest after the tables have caught up, since a chunk is newer than the stream.
 * @throws EngineError
 */
export async function readStructure(
  session: pg.ClientBase,
  tables: readonly Table[],
  { targets, have, besideWriters }: { targets: readonly Table[]; have: readonly Table[]; besideWriters: boolean },
): Promise<Statement[]> {
  const structures = await readTableStructures(
    session,
    tables.map(({ id }) => id),
  );
  const beside = new Set(tables.map(({ id }) => id));
  const ways = tables.map((table, place): Way => {
    const source = structures.find(({ id }) => id === table.id);
    const target = targets[place];
    if (!source || !target) throw new EngineError('TABLE_MISSING', { side: 'source', table: tableName(table) });
    const names = new Map(table.columns.map(({ name }, column) => [name, target.columns[column]?.name ?? name]));
    const there = have.find((one) => tableName(one) === tableName(target));
    return {
      source,
      target,
      have: there,
      besideWriters: besideWriters && !source.division && !there?.partitions,
      names,
      isRenamed: [...names].some(([from, to]) => from !== to),
      isPartial: source.columns.some(({ name }) => !names.has(name)),
      beside,
    };
  });
  const types = await typeStatements(
    session,
    structures.map(({ id }) => id),
    [...new Set(structures.flatMap(({ columns }) => columns.map(({ typeId }) => typeId)))],
  );
  const values: Statement[] = [];
  for (const way of ways) values.push(...(await sequenceValues(session, way)));
  const statements: Statement[] = [
    ...schemaStatements([...ways.flatMap(schemasOf), ...types.map(({ schema }) => schema)], have),
    ...types.map(({ statement }) => statement),
    ...ways.flatMap(tableStatements),
    ...ways.flatMap((way) => constraintStatements(way, ['u', 'x'], 'index')),
    ...ways.flatMap(indexStatements),
    ...ways.flatMap((way) => constraintStatements(way, ['c'], 'check')),
    ...ways.flatMap((way) => foreignKeys(way, ways)),
    ...values,
  ];
  return statements.map(withVersion);
}

/** Syntax that only PostgreSQL 18 understands; an older target refuses the statement. */
const newest = /GENERATED ALWAYS AS \(.*\) VIRTUAL|\bNOT ENFORCED\b|\bWITHOUT OVERLAPS\b|\bPERIOD "|\buuidv7\(/;

function withVersion(statement: Statement): Statement {
  const [words] = newest.exec(statement.sql) ?? [];
  if (!words) return statement;
  return { ...statement, note: [statement.note, 'Needs PostgreSQL 18 at the target.'].filter(Boolean).join(' ') };
}

/** Schemas that a table, its partitions and its sequences need at the target. */
function schemasOf(way: Way): string[] {
  const { source, target } = way;
  const sequences = source.columns.flatMap(({ name, sequence }) => (sequence && way.names.has(name) ? sequence : []));
  const others = [...(isDivided(way) ? source.partitions : []), ...sequences].map(({ schema }) => schema);
  return [target.schema, ...others.filter((schema) => schema !== source.schema)];
}

function schemaStatements(schemas: readonly string[], have: readonly Table[]): Statement[] {
  return [...new Set(schemas)]
    .filter((schema) => schema !== 'public' && schema !== 'pg_catalog')
    .map((schema) => ({
      kind: 'schema',
      phase: 'before',
      table: schema,
      sql: `CREATE SCHEMA ${quoteName(schema)}`,
      exists: have.some((table) => table.schema === schema),
      makes: { kind: 'schema', schema, name: schema },
      note: 'Views, functions and privileges of the schema are not replicated.',
    }));
}

/** Sequences, the table with its partitions, and its key. */
function tableStatements(way: Way): Statement[] {
  const { target, have } = way;
  const common = { phase: 'before', table: tableName(target) } as const;
  const left = notCarried(way);
  const wanted = wantedColumns(way);
  if (have) {
    const missing = wanted.filter((column) => !have.columns.some(({ name }) => name === targetName(way, column.name)));
    return [
      { ...common, kind: 'table', sql: createTable(way, wanted), exists: true },
      ...sequenceStatements(way, missing, 'make'),
      ...missing.map((column): Statement => addColumn(way, column)),
      ...sequenceStatements(way, missing, 'own'),
      ...partitionStatements(way),
      ...keyStatements(way),
    ];
  }
  return [
    ...sequenceStatements(way, wanted, 'make'),
    {
      ...common,
      kind: 'table',
      sql: createTable(way, wanted),
      exists: false,
      ...(left.length > 0 && { note: `Not replicated: ${left.join(', ')}.` }),
    },
    ...sequenceStatements(way, wanted, 'own'),
    ...partitionStatements(way),
    ...keyStatements(way),
  ];
}

/** Creates the sequences that column defaults use, or assigns them to their columns. */
function sequenceStatements(way: Way, columns: readonly ColumnStructure[], what: 'make' | 'own'): Statement[] {
  const common = { kind: 'sequence', phase: 'before', table: tableName(way.target), exists: false } as const;
  return columns.flatMap((column): Statement[] => {
    const { identity, sequence } = column;
    if (!sequence || identity) return [];
    if (what === 'make') return [createSequence(way.target, sequence, sequenceName(way, sequence))];
    return sequence.owned ? [{ ...common, sql: ownedBy(way, column, sequence) }] : [];
  });
}

/**
 * Existing rows have no value for a column without a default until they are copied again, so the column allows NULL.
 * Nor does the present default say what they contain, so it is set after the column is added, and replaces its
 * domain's.
 */
function addColumn(way: Way, column: ColumnStructure): Statement {
  const { notNull, expression, identity, generated } = column;
  const isBare = notNull && expression === null && !identity;
  const takesNull = isBare || (!notNull && !identity && !generated);
  const parts = takesNull ? addNull(way, column) : [`ADD COLUMN ${columnSql(way, column)}`];
  const steps = parts.map((part) => `ALTER TABLE ${quoteTable(way.target)} ${part}`);
  return {
    kind: 'column',
    phase: 'before',
    table: tableName(way.target),
    sql: steps.join('; '),
    ...(steps.length > 1 && { steps }),
    exists: false,
    ...(isBare && { note: 'It allows NULL: existing rows have no value for it.' }),
  };
}

/** ALTER TABLE actions, one statement each, that add a column which is NULL in every row. */
function addNull(way: Way, column: ColumnStructure): string[] {
  const add = `ADD COLUMN ${columnSql(way, { ...column, notNull: false, expression: null })}`;
  const alter = `ALTER COLUMN ${quoteName(targetName(way, column.name))}`;
  if (column.expression !== null && isCarried(way, column))
    return [`${add} DEFAULT NULL, ${alter} SET DEFAULT ${defaultOf(way, column)}`];
  return column.isDomain ? [`${add} DEFAULT NULL`, `${alter} DROP DEFAULT`] : [add];
}

function createTable(way: Way, columns: readonly ColumnStructure[]): string {
  const list = columns.map((column) => `\n  ${columnSql(way, column)}`).join(',');
  const partition = isDivided(way) ? partitionBy(way, way.source.division) : '';
  return `CREATE TABLE ${quoteTable(way.target)} (${list}\n)${partition}`;
}

/** Whether the target table can be partitioned like the source's. */
function isDivided(way: Way): boolean {
  const { division, partitions } = way.source;
  const divisions = [division, ...partitions.map((partition) => partition.division)].filter((one) => one !== null);
  return division !== null && divisions.every((one) => canDivide(way, one));
}

/** An expression may name any column. */
function canDivide(way: Way, { calls, isPlain, columns }: DivisionStructure): boolean {
  return !calls && hasColumns(way, columns) && (isPlain || (!way.isRenamed && !way.isPartial));
}

function partitionBy(way: Way, division: DivisionStructure | null): string {
  return division ? ` PARTITION BY ${withTargetNames(way, division.key, division.columns)}` : '';
}

/** The server's own text with the target's names for the columns that it lists in this order, in brackets. */
function withTargetNames(way: Way, text: string, columns: readonly string[]): string {
  if (!way.isRenamed) return text;
  let place = 0;
  return text.replace(/([(,] ?)?("(?:[^"]|"")*"|[^\s,()"]+)/g, (words, before: string | undefined, word: string) => {
    const column = columns[place];
    const name = word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
    // Brackets also contain options, such as those of an operator class.
    if (before === undefined || name !== column) return words;
    place++;
    return `${before}${quoteName(targetName(way, column))}`;
  });
}

function columnSql(way: Way, column: ColumnStructure): string {
  const { type, collation, notNull, identity, generated, expression, sequence } = column;
  const parts = [quoteName(targetName(way, column.name)), type];
  if (collation) parts.push(`COLLATE ${collation}`);
  if (generated) parts.push(`GENERATED ALWAYS AS (${expression}) ${generated === 's' ? 'STORED' : 'VIRTUAL'}`);
  if (identity) {
    const options = sequence ? ` (${sequenceOptions(sequence)})` : '';
    parts.push(`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${options}`);
  }
  if (!generated && !identity && expression !== null && isCarried(way, column)) {
    parts.push(`DEFAULT ${defaultOf(way, column)}`);
  }
  if (notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

/** A default that uses a sequence names the target's own. */
function defaultOf(way: Way, { expression, sequence }: ColumnStructure): string {
  if (!sequence || !expression) return expression ?? '';
  const asText = (name: string) => `${pg.escapeLiteral(name)}::regclass`;
  return expression.replaceAll(asText(sequence.sqlName), () => asText(sequenceName(way, sequence)));
}

/** Expressions that call the source's own functions, or name renamed or omitted columns, would fail at the target. */
function isCarried({ names }: Way, { generated, calls, columns }: ColumnStructure): boolean {
  return !calls && (!generated || columns.every((name) => names.get(name) === name));
}

/**
 * The columns that the target gets: without generated ones whose expression it cannot have, since nothing would fill
 * them.
 */
function wantedColumns(way: Way): ColumnStructure[] {
  return way.source.columns.filter(
    (column) => way.names.has(column.name) && (!column.generated || isCarried(way, column)),
  );
}

/** A sequence in its table's schema goes to the target table's schema. */
function sequenceName({ source, target }: Way, { schema, name }: SequenceStructure): string {
  return `${quoteName(schema === source.schema ? target.schema : schema)}.${quoteName(name)}`;
}

function ownedBy(way: Way, column: ColumnStructure, sequence: SequenceStructure): string {
  return `ALTER SEQUENCE ${sequenceName(way, sequence)} OWNED BY ${quoteTable(way.target)}.${quoteName(targetName(way, column.name))}`;
}

/** What PARTITION OF takes from the parent apart from names and types; indexes and an identity come with ATTACH. */
const likeParent =
  'INCLUDING COMPRESSION INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE';

/**
 * None for a table that the target has without partitions. A partition of an existing table is attached, since
 * PARTITION OF would wait for all its readers, and make everyone else wait behind it.
 */
function partitionStatements(way: Way): Statement[] {
  const { source, target, have } = way;
  if ((have && !have.partitions) || !isDivided(way)) return [];
  const names = new Map([[source.id, quoteTable(target)]]);
  return source.partitions.map((partition) => {
    const schema = partition.schema === source.schema ? target.schema : partition.schema;
    const own = { schema, name: partition.name };
    names.set(partition.id, quoteTable(own));
    const parent = names.get(partition.parentId);
    const by = partitionBy(way, partition.division);
    return {
      kind: 'partition',
      phase: 'before',
      table: tableName(own),
      root: tableName(target),
      sql: have
        ? `CREATE TABLE ${quoteTable(own)} (LIKE ${parent} ${likeParent})${by}; ALTER TABLE ${parent} ATTACH PARTITION ${quoteTable(own)} ${partition.bound}`
        : `CREATE TABLE ${quoteTable(own)} PARTITION OF ${parent} ${partition.bound}${by}`,
      exists: have?.partitions?.includes(tableName(own)) ?? false,
    };
  });
}

/** The key that rows are found by: the primary key, and unique indexes on the key's columns. */
function keyStatements(way: Way): Statement[] {
  const { source, target, have } = way;
  const common = {
    kind: 'key',
    phase: 'before',
    table: tableName(target),
    exists: (have?.key.length ?? 0) > 0,
  } as const;
  const primary = source.constraints.filter(({ kind, columns }) => kind === 'p' && hasColumns(way, columns));
  return [
    ...primary.map((constraint) => ({ ...common, ...addConstraint(way, constraint) })),
    ...keyIndexes(way).map((index) => ({ ...common, ...createIndex(way, index) })),
  ];
}

/** Unique indexes on the key's columns, other than the primary key. */
function keyIndexes(way: Way) {
  const key = way.target.key.map((column) => way.target.columns[column]?.name);
  return way.source.indexes.filter(
    ({ isUnique, isPlain, columns }) =>
      isUnique &&
      isPlain &&
      columns.length === key.length &&
      columns.every((column) => key.includes(targetName(way, column))),
  );
}

function constraintStatements(way: Way, kinds: ConstraintStructure['kind'][], kind: 'index' | 'check'): Statement[] {
  return way.source.constraints
    .filter((constraint) => kinds.includes(constraint.kind) && canCarry(way, constraint))
    .map((constraint) => ({
      kind,
      // The target may find rows by a unique constraint.
      phase: isKey(way, constraint) ? 'before' : 'after',
      table: tableName(way.target),
      ...(way.besideWriters && !isKey(way, constraint) ? addOnline(way, constraint) : addConstraint(way, constraint)),
      exists: false,
    }));
}

function isKey(way: Way, { kind, columns }: ConstraintStructure): boolean {
  const key = way.target.key.map((column) => way.target.columns[column]?.name);
  return (
    kind === 'u' && columns.length === key.length && columns.every((column) => key.includes(targetName(way, column)))
  );
}

function hasColumns({ names }: Way, columns: readonly string[]): boolean {
  return columns.every((column) => names.has(column));
}

/**
 * A condition, or an expression stored separately, may name any column; for a condition, the server knows which ones.
 */
function canCarry(way: Way, { kind, calls, references, columns, isPlain }: ConstraintStructure): boolean {
  const { isRenamed, isPartial, beside } = way;
  if (references && !beside.has(references.id)) return false;
  if (!hasColumns(way, columns)) return false;
  return !calls && (!isRenamed || kind !== 'c') && (isPlain || (!isRenamed && !isPartial));
}

type Named = Pick<Statement, 'sql' | 'steps' | 'named' | 'makes'>;

function addConstraint(way: Way, constraint: ConstraintStructure): Named {
  const definition = definitionOf(way, constraint);
  const sqlOf = (name: string) =>
    `ALTER TABLE ${quoteTable(way.target)} ADD CONSTRAINT ${quoteName(name)} ${definition}`;
  // Check names only need to be unique per table.
  if (constraint.kind === 'c') return { sql: sqlOf(constraint.name), makes: constraintOf(way, constraint) };
  return underName(way, constraint.name, (name) => ({ sql: sqlOf(name) }), ownIndex(way, constraint));
}

/** The same, without blocking writers while all rows are checked, if the server can do that. */
function addOnline(way: Way, constraint: ConstraintStructure): Named {
  const { kind, name, definition, index, included } = constraint;
  if (kind === 'c') return validated(way, constraint, addConstraint(way, constraint).sql);
  // Until its constraint exists, an index checks at once what a deferrable constraint may check at commit.
  const isDeferrable = / DEFERRABLE\b/.test(definition);
  if (kind !== 'u' || index === null || isDeferrable || !hasColumns(way, included))
    return addConstraint(way, constraint);
  const textOf = (as: string) =>
    inSteps([
      createIndexAs(way, { ...constraint, definition: index }, as, true),
      `ALTER TABLE ${quoteTable(way.target)} ADD CONSTRAINT ${quoteName(as)} UNIQUE USING INDEX ${quoteName(as)}`,
    ]);
  return underName(way, name, textOf, { ...ownIndex(way, constraint), isConstraint: true });
}

/** The definition of a unique constraint's index, whatever its name. */
function ownIndex(way: Way, { index, ...constraint }: ConstraintStructure): Sameness {
  return index === null ? {} : { definition: nameless(way, { ...constraint, definition: index }) };
}

/** A constraint that is created at once, and then validated for existing rows. */
function validated(way: Way, constraint: ConstraintStructure, sql: string): Named {
  // The source's own constraint may be not validated, or not enforced.
  if (/ NOT (?:VALID|ENFORCED)$/.test(sql)) return { sql, makes: constraintOf(way, constraint) };
  const validate = `ALTER TABLE ${quoteTable(way.target)} VALIDATE CONSTRAINT ${quoteName(constraint.name)}`;
  return { ...inSteps([`${sql} NOT VALID`, validate]), makes: { ...constraintOf(way, constraint), kind: 'validated' } };
}

const inSteps = (steps: readonly string[]): StatementText => ({ sql: steps.join(';\n'), steps });

function constraintOf({ target }: Way, { name }: ConstraintStructure): DatabaseObject {
  return { kind: 'constraint', schema: target.schema, table: target.name, name };
}

/** What must exist under a name to count as the same. */
type Sameness = Pick<NonNullable<Statement['named']>, 'definition' | 'isConstraint'>;

/** A statement that creates an index, and an alternative in case its name is taken by something else. */
function underName({ target }: Way, name: string, textOf: (name: string) => StatementText, sameness: Sameness): Named {
  const { schema, name: table } = target;
  const otherwise = textOf(otherName(target, name));
  return { ...textOf(name), named: { schema, table, name, ...sameness, otherwise } };
}

/**
 * The server's own text; included columns that are not replicated are dropped from it rather than omitting the
 * constraint.
 */
function definitionOf(way: Way, { definition, columns, included }: ConstraintStructure): string {
  const text = hasColumns(way, included)
    ? definition
    : definition.replace(/ INCLUDE \((?:[^()"]|"(?:[^"]|"")*")*\)/, '');
  return withTargetNames(way, text, [...columns, ...included]);
}

function indexStatements(way: Way): Statement[] {
  const ofKey = keyIndexes(way);
  return way.source.indexes
    .filter((index) => !ofKey.includes(index) && canCarryIndex(way, index))
    .map((index) => ({
      kind: 'index',
      phase: 'after',
      table: tableName(way.target),
      ...createIndex(way, index, way.besideWriters),
      exists: false,
    }));
}

/** An expression or a condition may name any column. */
function canCarryIndex(way: Way, { calls, isPlain, columns, included }: IndexStructure): boolean {
  return !calls && ((!way.isRenamed && !way.isPartial) || (isPlain && hasColumns(way, [...columns, ...included])));
}

type IndexText = Pick<IndexStructure, 'definition' | 'columns' | 'included'>;

function createIndex(way: Way, index: IndexStructure, isOnline = false): Named {
  const textOf = (as: string) => {
    const sql = createIndexAs(way, index, as, isOnline);
    return isOnline ? inSteps([sql]) : { sql };
  };
  return underName(way, index.name, textOf, { definition: nameless(way, index) });
}

/** For a partitioned table, the partitions get theirs with it. @param isOnline concurrently, outside any transaction */
function createIndexAs(way: Way, index: IndexText, as: string, isOnline: boolean): string {
  const unique = index.definition.startsWith('CREATE UNIQUE') ? 'UNIQUE ' : '';
  const online = isOnline ? 'CONCURRENTLY ' : '';
  const [, rest] = indexText(way, index);
  return `CREATE ${unique}INDEX ${online}IF NOT EXISTS ${quoteName(as)} ON ${quoteTable(way.target)}${rest}`;
}

/** An index's definition at the target, whatever its name. */
function nameless(way: Way, index: IndexText): string {
  return indexDefinition(indexText(way, index).join(''));
}

/** The server's own text up to the table, and the rest with the target's columns. */
function indexText(way: Way, { definition, columns, included }: IndexText): [head: string, rest: string] {
  const { sqlName } = way.source;
  const own = definition.indexOf(' USING ', definition.indexOf(sqlName) + sqlName.length);
  return [definition.slice(0, own), withTargetNames(way, definition.slice(own), [...columns, ...included])];
}

/** Only between tables that both go to the target. */
function foreignKeys(way: Way, ways: readonly Way[]): Statement[] {
  return way.source.constraints.flatMap((constraint): Statement[] => {
    const { kind, references, hasPeriod } = constraint;
    const other = ways.find(({ source }) => source.id === references?.id);
    if (kind !== 'f' || !references || !other) return [];
    if (!hasColumns(way, constraint.columns) || !hasColumns(other, references.columns)) return [];
    const namesOf = (side: Way, names: readonly string[]) =>
      names.map((name) => quoteName(targetName(side, name))).map(hasPeriod ? markPeriod : String);
    const columns = namesOf(way, constraint.columns).join(', ');
    const referred = namesOf(other, references.columns).join(', ');
    const actions = withTargetNames(way, actionsOf(constraint.definition), references.setColumns);
    const sql = `ALTER TABLE ${quoteTable(way.target)} ADD CONSTRAINT ${quoteName(constraint.name)} FOREIGN KEY (${columns}) REFERENCES ${quoteTable(other.target)} (${referred})${actions}`;
    const isDivided = other.source.division !== null || other.have?.partitions !== undefined;
    const made =
      way.besideWriters && !isDivided ? validated(way, constraint, sql) : { sql, makes: constraintOf(way, constraint) };
    return [{ kind: 'foreign-key', phase: 'after', table: tableName(way.target), ...made, exists: false }];
  });
}

const markPeriod = (name: string, place: number, { length }: readonly string[]) =>
  place === length - 1 ? `PERIOD ${name}` : name;

/** What a foreign key's text says after the referenced columns. */
function actionsOf(definition: string): string {
  const name = String.raw`(?:"(?:[^"]|"")*"|[^\s("]+)`;
  const list = String.raw`\((?:[^()"]|"(?:[^"]|"")*")*\)`;
  return definition.replace(new RegExp(`^FOREIGN KEY ${list} REFERENCES (?:${name}\\.)?${name}\\s*${list}`), '');
}

async function sequenceValues(session: pg.ClientBase, way: Way): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const column of way.source.columns) {
    if (!column.sequence || !way.names.has(column.name)) continue;
    const name = sequenceName(way, column.sequence);
    statements.push(...(await setSequence(session, way.target, column, targetName(way, column.name), name)));
  }
  return statements;
}

function notCarried(way: Way): string[] {
  const { source, names } = way;
  return [
    ...source.left,
    ...(source.division && !isDivided(way) ? ['partitions'] : []),
    ...source.columns
      .filter((column) => names.has(column.name) && column.expression && !isCarried(way, column))
      .map(({ name, generated }) => (generated ? `generated column ${name}` : `default of ${name}`)),
    ...source.constraints.filter((constraint) => !canCarry(way, constraint)).map(({ name }) => `constraint ${name}`),
    ...source.indexes
      .filter((index) => !canCarryIndex(way, index) && !keyIndexes(way).includes(index))
      .map(({ name }) => `index ${name}`),
  ];
}

function targetName({ names }: Way, column: string): string {
  return names.get(column) ?? column;
}
