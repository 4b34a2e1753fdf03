import type pg from 'pg';
import { EngineError } from '../../../errors.ts';
import type { Statement } from '../../../sink.ts';
import { quoteName } from '../../../sql/names.ts';
import { type Table, tableName } from '../../../table.ts';
import { constraintStatements } from './constraints.ts';
import { tableStatements } from './create-tables.ts';
import { typeStatements } from './create-types.ts';
import { foreignKeys } from './foreign-keys.ts';
import { indexStatements } from './indexes.ts';
import { isDivided } from './partitions.ts';
import { readTableStructures } from './read-tables.ts';
import { setSequence } from './sequences.ts';
import { sequenceName, type TableMapping, targetName } from './table-mapping.ts';

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
  const mappings = tables.map((table, place): TableMapping => {
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
  for (const mapping of mappings) values.push(...(await sequenceValues(session, mapping)));
  const statements: Statement[] = [
    ...schemaStatements([...mappings.flatMap(schemasOf), ...types.map(({ schema }) => schema)], have),
    ...types.map(({ statement }) => statement),
    ...mappings.flatMap(tableStatements),
    ...mappings.flatMap((mapping) => constraintStatements(mapping, ['u', 'x'], 'index')),
    ...mappings.flatMap(indexStatements),
    ...mappings.flatMap((mapping) => constraintStatements(mapping, ['c'], 'check')),
    ...mappings.flatMap((mapping) => foreignKeys(mapping, mappings)),
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
function schemasOf(mapping: TableMapping): string[] {
  const { source, target } = mapping;
  const sequences = source.columns.flatMap(({ name, sequence }) =>
    sequence && mapping.names.has(name) ? sequence : [],
  );
  const others = [...(isDivided(mapping) ? source.partitions : []), ...sequences].map(({ schema }) => schema);
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

async function sequenceValues(session: pg.ClientBase, mapping: TableMapping): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const column of mapping.source.columns) {
    if (!column.sequence || !mapping.names.has(column.name)) continue;
    const name = sequenceName(mapping, column.sequence);
    statements.push(...(await setSequence(session, mapping.target, column, targetName(mapping, column.name), name)));
  }
  return statements;
}
