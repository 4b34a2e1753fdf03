import type { Action } from '../batch.ts';
import { type Change, keyOf, type RowChange } from '../change.ts';
import { isOfTable } from '../errors.ts';
import { blockTable } from '../handover/table-requests.ts';
import { assertKeyTold, type Route, routeChange, routeRow } from './route.ts';
import type { RunningJob } from './running-job.ts';

/** Whether new rows meet their tables' filters; null if a cell that the filter needs is not in the log. */
export type Verdicts = ReadonlyMap<Change, boolean | null>;

interface FilteredAction {
  action: Action;
  /** The row must be read from the source. */
  isReread: boolean;
}

/** Asks the source about rows of tables that have a filter. A filter that fails blocks its table. */
export async function judgeChanges(job: RunningJob, changes: readonly Change[]): Promise<Verdicts> {
  const verdicts = new Map<Change, boolean | null>();
  if (!job.source.judge) return verdicts;
  const told = changes.flatMap((change) =>
    change.kind === 'row' && change.after ? [{ change, version: change.table, row: change.after }] : [],
  );
  for (const [version, ofTable] of Map.groupBy(told, (one) => one.version)) {
    const table = job.tables.get(version.id);
    const filter = table?.route.selection.filter ?? null;
    if (!table || table.isSkipped || table.isHeld || filter === null) continue;
    try {
      const rows = ofTable.map(({ row }) => row);
      const answers = await job.source.judge(version, filter, rows);
      for (const [place, { change }] of ofTable.entries()) verdicts.set(change, answers[place] ?? null);
    } catch (error) {
      if (!isOfTable(error)) throw error;
      await blockTable(job, table, error);
    }
  }
  return verdicts;
}

/**
 * What a change does to the target: a row that does not meet the filter is not there afterwards.
 * @throws EngineError TABLE_CHANGED if its key is missing
 */
export function filterChange(route: Route, change: RowChange, verdict: boolean | null | undefined): FilteredAction[] {
  assertKeyTold(route, change);
  if (!change.after || verdict === undefined || verdict === true)
    return routeChange(route, change).map((action) => ({ action, isReread: false }));
  const gone = verdict === false ? [change.before, change.after] : [change.before];
  const deletes = gone
    .filter((row) => row !== null)
    .map((row): FilteredAction => ({ action: { kind: 'delete', key: keyOf(route.source, row) }, isReread: false }));
  if (verdict === false) return deletes;
  return [...deletes, { action: { kind: 'upsert', row: routeRow(route, change.after) }, isReread: true }];
}
