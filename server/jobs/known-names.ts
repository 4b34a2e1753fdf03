import type { TableSelection } from '../engine/job.ts';
import { tableName } from '../engine/table.ts';
import { JobError } from './errors.ts';
import { addsNewTables, type NewJob } from './new-job.ts';
import { isOfNode, isPathOf, Mapping, type Selection } from './selection.ts';

/** A table of the source, as far as names matter. */
interface KnownTable {
  schema: string;
  name: string;
  columns: readonly { name: string }[];
}

/** Whether only the source can tell if what a request names exists. */
export function namesUnderTables(request: NewJob, { schemas }: Selection): boolean {
  const named = schemas.some(
    ({ tables, leftOut }) => leftOut.length > 0 || tables.some(({ columns }) => (columns ?? []).length > 0),
  );
  return named || new Mapping(request.mappingDef).entriesOf('COLUMN_COLUMN').length > 0;
}

/**
 * Refuses a request that names what the source does not have: with a mistyped name, a column that is to be left out
 * would be carried, or a table written under a name that nobody asked for.
 * @param tables what the request selects
 * @param catalog the source's tables, unless `namesUnderTables` is false
 * @throws JobError BAD_VALUE
 */
export function requireKnownNames(
  request: NewJob,
  selection: Selection,
  tables: readonly TableSelection[],
  catalog: readonly KnownTable[],
): void {
  const columns = new Map(catalog.map((table) => [tableName(table), table.columns.map(({ name }) => name)]));
  const mapping = new Mapping(request.mappingDef);
  // Tables that are created later may have what these lack.
  const isOpen = addsNewTables(request);
  const stray =
    strayAbove(mapping, selection) ??
    (isOpen ? undefined : strayTable(mapping, selection, tables, columns)) ??
    strayColumn(selection, tables, columns, isOpen) ??
    (isOpen ? undefined : strayRename(mapping, selection, tables, columns));
  if (stray === undefined) return;
  throw new JobError(
    'BAD_VALUE',
    `The job ${stray}, which is not among what it can carry from the source: correct the name, whose case matters, or remove it.`,
  );
}

/** Names of columns, by their table's. */
type Columns = ReadonlyMap<string, readonly string[]>;

/** An entry that gives none of the objects a new name. */
function strayEntry(mapping: Mapping, method: string, objects: readonly string[][]): string | undefined {
  // An entry may leave out the uppermost levels.
  const paths = objects.flatMap((object) => object.map((_, level) => JSON.stringify(object.slice(0, level + 1))));
  const known = new Set(paths);
  return mapping
    .entriesOf(method)
    .find((path) => !known.has(JSON.stringify(path)))
    ?.toReversed()
    .join('.');
}

function strayAbove(mapping: Mapping, { sourceDatabase, schemas }: Selection): string | undefined {
  const database = strayEntry(mapping, 'DB_DB', [[sourceDatabase]]);
  if (database !== undefined) return `renames the database ${database}`;
  const paths = schemas.map(({ schema }) => [schema, sourceDatabase]);
  const schema = strayEntry(mapping, 'SCHEMA_SCHEMA', paths);
  return schema === undefined ? undefined : `renames the schema ${schema}`;
}

function strayTable(
  mapping: Mapping,
  { sourceDatabase, schemas }: Selection,
  tables: readonly TableSelection[],
  columns: Columns,
): string | undefined {
  const paths = tables.map(({ schema, name }) => [name, schema, sourceDatabase]);
  const renamed = strayEntry(mapping, 'TABLE_TABLE', paths);
  if (renamed !== undefined) return `renames the table ${renamed}`;
  const named = schemas.flatMap(({ schema, leftOut }) =>
    leftOut.filter(({ tablePattern }) => !tablePattern).map(({ table }) => tableName({ schema, name: table })),
  );
  const leftOut = named.find((name) => !columns.has(name));
  return leftOut && `leaves out the table ${leftOut}`;
}

function strayColumn(
  { schemas }: Selection,
  tables: readonly TableSelection[],
  known: Columns,
  isOpen: boolean,
): string | undefined {
  for (const { schema, tables: nodes } of schemas) {
    for (const node of nodes) {
      if (!node.columns?.length || (isOpen && node.tablePattern)) continue;
      const own = tables.filter((table) => table.schema === schema && isOfNode(node, table.name));
      const stray = node.columns.find(({ column }) => lack(known, own, column));
      const does = stray?.inBlackList ? 'leaves out' : 'selects';
      if (stray) return `${does} the column ${schema}.${node.tablePattern || node.table}.${stray.column}`;
    }
  }
  return undefined;
}

function strayRename(
  mapping: Mapping,
  { sourceDatabase }: Selection,
  tables: readonly TableSelection[],
  known: Columns,
): string | undefined {
  const stray = mapping.entriesOf('COLUMN_COLUMN').find(([column = '', ...path]) => {
    const own = tables.filter(({ schema, name }) => isPathOf(path, [name, schema, sourceDatabase]));
    return own.length === 0 || lack(known, own, column);
  });
  return stray && `renames the column ${stray.toReversed().join('.')}`;
}

function lack(known: Columns, tables: readonly TableSelection[], column: string): boolean {
  // A table that does not exist itself is named by the check.
  const columns = tables.flatMap((table) => known.get(tableName(table)) ?? []);
  return columns.length > 0 && !columns.includes(column);
}
