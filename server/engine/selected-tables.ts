import { EngineError } from './errors.ts';
import { makeRoute, type Route } from './flow/route.ts';
import { assertFollowable } from './followable.ts';
import { carriesColumn, type JobSpec, type TableSelection, targetColumn } from './job.ts';
import type { Sink, Statement } from './sink.ts';
import type { Filters, Source } from './source.ts';
import { type Table, type TableSize, tableName } from './table.ts';

/** A table of the job as the source has it now. */
export interface SelectedTable {
  selection: TableSelection;
  source: Table & { size: TableSize };
}

/** The same, as far as it determines what is carried. */
interface ToCarry {
  selection: TableSelection;
  source: Table;
}

/** A table of the job that cannot take part, and why. */
export interface RefusedTable {
  selection: TableSelection;
  /** The source table's id, if it exists. */
  id: string | null;
  error: EngineError;
}

const schemasOf = (names: readonly { schema: string }[]) => [...new Set(names.map(({ schema }) => schema))];

/** Looks up the job's tables at the source. */
export async function selectTables(
  source: Source,
  { tables }: JobSpec,
): Promise<{ selected: SelectedTable[]; refused: RefusedTable[] }> {
  const catalog = new Map((await source.catalog(schemasOf(tables))).map((table) => [tableName(table), table]));
  const selected: SelectedTable[] = [];
  const refused: RefusedTable[] = [];
  for (const selection of tables) {
    const table = catalog.get(tableName(selection));
    if (table) selected.push({ selection, source: table });
    else
      refused.push({
        selection,
        id: null,
        error: new EngineError('TABLE_MISSING', { side: 'source', table: tableName(selection) }),
      });
  }
  return { selected, refused };
}

/** The conditions on rows of these tables. */
export function filtersOf(tables: readonly { selection: TableSelection; source: Table }[]): Filters {
  return new Map(
    tables.flatMap(({ selection, source }) => (selection.filter === null ? [] : [[source.id, selection.filter]])),
  );
}

/** A source table with only the columns that the job carries; without a key if a part of it is left out. */
function carriedTable({ selection, source }: ToCarry): Table {
  const kept = source.columns.filter(({ name }) => carriesColumn(selection, name));
  if (kept.length === source.columns.length) return source;
  const places = source.columns.map((column) => kept.indexOf(column));
  const key = source.key.map((place) => places[place] ?? -1);
  const uniques = source.uniques?.map((parts) =>
    parts.map(({ column, collation }) => ({ column: places[column] ?? -1, collation })),
  );
  return {
    ...source,
    columns: kept,
    key: key.includes(-1) ? [] : key,
    ...(uniques && { uniques: uniques.filter((parts) => parts.every(({ column }) => column !== -1)) }),
  };
}

/** The target tables as the job wants them. */
export function wantedTables(selected: readonly ToCarry[]): Table[] {
  return selected.map(({ selection, source }) => {
    const carried = carriedTable({ selection, source });
    return {
      ...carried,
      schema: selection.target.schema,
      name: selection.target.name,
      columns: carried.columns.map((column) => ({ ...column, name: targetColumn(selection, column.name) })),
    };
  });
}

/** The statements that create what the job wants of these tables at the target. @param have what the target has */
export async function structureOf(
  { source, sink }: { source: Source; sink: Sink },
  selected: readonly ToCarry[],
  have: readonly Table[],
  besideWriters = false,
  lock: 'wait' | 'leave-out' = 'wait',
): Promise<Statement[]> {
  const statements = await source.structure(selected.map(carriedTable), wantedTables(selected), have, besideWriters);
  const made = await sink.findMade(statements, lock);
  return statements.map((statement, place) => ({ ...statement, exists: statement.exists || made[place] === true }));
}

/** The tables that the job writes into; none if it only creates structure. */
export function targetsOf({ type, tables }: JobSpec): TableSelection['target'][] {
  return type === 'STRUCT_MIGRATION' ? [] : tables.map(({ target }) => target);
}

/** What the target has of them. */
export async function targetTables(sink: Sink, { tables }: JobSpec): Promise<Table[]> {
  return await sink.catalog(schemasOf(tables.map(({ target }) => target)));
}

/** What is known of the target tables besides their columns. */
interface Standing {
  /** Names of target tables that get columns later, which are left out until then. */
  late?: ReadonlySet<string>;
  /** Other jobs, by the names of the target tables that they write into. */
  taken?: ReadonlyMap<string, string>;
  /** Why target tables are missing, or lack a column, by their names. */
  unmade?: ReadonlyMap<string, EngineError>;
}

/** @throws EngineError TARGET_TAKEN if another job writes into the target table */
function refuseTaken({ target }: TableSelection, taken: ReadonlyMap<string, string>): void {
  const job = taken.get(tableName(target));
  if (job !== undefined)
    throw new EngineError('TARGET_TAKEN', { side: 'target', table: tableName(target), subject: `job ${job}` });
}

/** The reason why the target lacks something says more than that it does. @param unmade why it was not created */
function causeOf(error: EngineError, unmade: EngineError | undefined): EngineError {
  const isMissing = error.code === 'TABLE_MISSING' || error.code === 'COLUMN_MISSING';
  return isMissing && unmade ? unmade : error;
}

/** Finds the route of each table; tables that have none are refused. */
export function makeRoutes(
  spec: JobSpec,
  selected: readonly SelectedTable[],
  have: readonly Table[],
  { late = new Set(), taken = new Map(), unmade = new Map() }: Standing = {},
): { routes: Route[]; refused: RefusedTable[] } {
  const targets = new Map(have.map((table) => [tableName(table), table]));
  const routes: Route[] = [];
  const refused: RefusedTable[] = [];
  for (const { selection, source } of selected) {
    try {
      refuseTaken(selection, taken);
      const target = targets.get(tableName(selection.target));
      if (!target) throw new EngineError('TABLE_MISSING', { side: 'target', table: tableName(selection.target) });
      if (spec.type === 'SYNC') assertFollowable(source);
      const ignoresMissing = spec.ddl === 'ignore' || late.has(tableName(target));
      routes.push(makeRoute(source, selection, target, ignoresMissing));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refused.push({ selection, id: source.id, error: causeOf(error, unmade.get(tableName(selection.target))) });
    }
  }
  return { routes, refused };
}
