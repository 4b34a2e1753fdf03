import { EngineError, isPrivilegeMissing } from '../errors.ts';
import type { JobSpec } from '../job.ts';
import { missingTable } from '../namesakes.ts';
import { type SelectedTable, selectTables, structureOf, targetTables } from '../selected-tables.ts';
import type { Sink, Statement } from '../sink.ts';
import type { Source } from '../source.ts';
import { tableName } from '../table.ts';

/**
 * The statements that create the job's tables at the target; objects that it already has are marked.
 * @param settled ids of source tables whose target table stays as it is, if it exists
 * @param lock see `Sink.findMade`
 */
export async function planStructure(
  source: Source,
  sink: Sink,
  spec: JobSpec,
  settled: ReadonlySet<string> = new Set(),
  lock: 'wait' | 'leave-out' = 'wait',
): Promise<Statement[]> {
  for (let tries = 1; ; tries++) {
    const { selected } = await selectTables(source, spec);
    try {
      const have = await targetTables(sink, spec);
      const there = new Set(have.map(tableName));
      const isSettled = (table: SelectedTable) =>
        settled.has(table.source.id) && there.has(tableName(table.selection.target));
      return await structureOf(
        { source, sink },
        selected.filter((table) => !isSettled(table)),
        have,
        spec.type === 'SYNC',
        lock,
      );
    } catch (error) {
      // Dropped since it was selected: the next selection leaves it out, and the other tables continue.
      if (!(error instanceof EngineError) || error.code !== 'TABLE_MISSING' || tries === mostSelections) throw error;
    }
  }
}

/** Tables may be dropped while structure is planned, but not forever. */
const mostSelections = 5;

/** What the target refused, for a reason that concerns only its table. */
export interface RefusedStatement {
  statement: Statement;
  error: EngineError;
}

/** The result of a phase's statements. */
export interface MadeStructure {
  made: number;
  refused: RefusedStatement[];
}

export interface StructureToMake {
  phase: Statement['phase'];
  /** Whether a statement's table can have it now; always, if missing. */
  isReady?: (statement: Statement) => boolean;
  /** Whether the target may have foreign keys; if false, they count as refused. */
  takesForeignKeys?: boolean;
  /** See `planStructure`. */
  settled?: ReadonlySet<string>;
  /** Called before anything is created. */
  begun?: (missing: readonly Statement[]) => void;
  /** Called with what is being created; undefined once that is done. */
  making?: (statement: Statement | undefined) => void;
}

/** Creates what is missing of one phase. */
export async function makeStructure(
  source: Source,
  sink: Sink,
  spec: JobSpec,
  { phase, isReady = () => true, takesForeignKeys = true, settled, begun, making }: StructureToMake,
): Promise<MadeStructure> {
  // A locked table keeps no other waiting: its own statements meet the lock when they are run.
  const statements = await planStructure(source, sink, spec, settled, 'leave-out');
  const missing = statements.filter((one) => one.phase === phase && !one.exists);
  begun?.(missing);
  const taken = await namesTaken(sink, spec, missing);
  const result: MadeStructure = { made: 0, refused: [] };
  const without = new Set<string>();
  for (const statement of missing) {
    // Checked now, since the statements before it may have taken hours.
    if (without.has(statement.root ?? statement.table) || !isReady(statement)) continue;
    making?.(statement);
    const isTaken = statement.kind === 'table' && taken.get(statement.table);
    const told = isTaken || (await makeOne(sink, statement, takesForeignKeys).finally(() => making?.(undefined)));
    // Sequences are set at each start, which creates nothing.
    if (told === true && statement.kind !== 'sequence') result.made++;
    if (!(told instanceof EngineError)) continue;
    result.refused.push({ statement, error: told });
    if (statement.kind === 'table') without.add(statement.table);
  }
  return result;
}

/** Why tables cannot be created because something else has their names, by table name. */
async function namesTaken(
  sink: Sink,
  { tables }: JobSpec,
  missing: readonly Statement[],
): Promise<ReadonlyMap<string, EngineError>> {
  const names = new Set(missing.flatMap(({ kind, table }) => (kind === 'table' ? [table] : [])));
  const lacking = tables.map(({ target }) => target).filter((target) => names.has(tableName(target)));
  if (lacking.length === 0) return new Map();
  const namesakes = await sink.namesakes(lacking);
  const taken = lacking.filter((target) => namesakes.has(tableName(target)));
  return new Map(taken.map((target) => [tableName(target), missingTable('target', target, namesakes)]));
}

/** @returns whether anything was created, or why the job continues without it */
async function makeOne(sink: Sink, statement: Statement, takesForeignKeys: boolean): Promise<boolean | EngineError> {
  if (statement.kind === 'foreign-key' && !takesForeignKeys)
    return new EngineError('TRIGGER_IN_THE_WAY', { side: 'target', table: statement.table });
  if (statement.lacks !== undefined)
    return new EngineError('STRUCTURE_REFUSED', { side: 'target', table: statement.table, subject: statement.lacks });
  try {
    return await sink.run(statement);
  } catch (error) {
    if (!isDispensable(statement, error)) throw error;
    return error;
  }
}

/** A job can continue without an index, a part of an existing table, or a table that the target cannot have. */
function isDispensable({ kind, phase }: Statement, error: unknown): error is EngineError {
  if (!(error instanceof EngineError)) return false;
  const isOfTable = error.scope !== 'job';
  const isLacking = error.code === 'STRUCTURE_REFUSED';
  // What the target does not know, such as an extension's operator, is unexpected.
  const isRefused = isOfTable || error.code === 'UNEXPECTED';
  switch (kind) {
    // What the target does not accept at all keeps its table out, and no other.
    case 'column':
      return isOfTable;
    case 'table':
      return isLacking;
    // Tables of the type are refused after it.
    case 'type':
      return isLacking || isPrivilegeMissing(error) || (phase === 'after' && isRefused);
    case 'partition':
      return isOfTable || isPrivilegeMissing(error);
    // The target may have a key of another kind, or rows that rule one out: then only its table cannot take part.
    case 'key':
      return isRefused && !(isOfTable && error.retry === 'timed');
    default:
      return phase === 'after' && isRefused;
  }
}
