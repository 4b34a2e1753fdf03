import { EngineError } from '../errors.ts';
import { assertNotMadeNow } from '../flow/lock-patience.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { targetColumn } from '../job.ts';
import type { Altered } from '../sink.ts';
import { type Column, type Table, tableName } from '../table.ts';
import { droppedColumns } from './decide.ts';

/**
 * Prepares the target for an altered source: columns that the source dropped are kept and accept NULL, others get wider
 * types.
 * @throws EngineError LOCK_TIMED_OUT, also while the job itself creates an index there
 */
export async function tryAlteration(
  job: RunningJob,
  route: Route,
  now: Table,
  widened: readonly Column[],
): Promise<Altered> {
  const { selection, target } = route;
  const targetName = (name: string) => targetColumn(selection, name);
  const untold = droppedColumns(route, now).map(targetName);
  if (untold.length + widened.length === 0) return 'needless';
  assertNotMadeNow(job, target);
  return await job.sink.alter(target, {
    widened: widened.map((column) => ({ ...column, name: targetName(column.name) })),
    untold,
  });
}

/** The same, whether or not there was anything to do. @returns false if the target's own structure prevents it */
export async function alterTarget(
  job: RunningJob,
  route: Route,
  now: Table,
  widened: readonly Column[],
): Promise<boolean> {
  return (await tryAlteration(job, route, now, widened)) !== 'refused';
}

/** The same. @throws EngineError TABLE_CHANGED if the target's own structure prevents it */
export async function requireAltered(
  job: RunningJob,
  { route }: TableProgress,
  now: Table,
  widened: readonly Column[],
): Promise<void> {
  if (await alterTarget(job, route, now, widened)) return;
  const names = [...droppedColumns(route, now), ...widened.map(({ name }) => name)].join(', ');
  const subject = `it does not accept the change to ${names}`;
  throw new EngineError('TABLE_CHANGED', { side: 'target', table: tableName(route.target), subject });
}
