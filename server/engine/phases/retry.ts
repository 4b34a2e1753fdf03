import type { Route } from '../flow/route.ts';
import { type RunningJob, resumeFrom } from '../flow/running-job.ts';
import { requestRetry } from '../handover/retry.ts';
import { TableProgress } from '../handover/table-progress.ts';
import type { Retry } from '../protocol.ts';
import type { RefusedTable } from '../selected-tables.ts';
import { tableName } from '../table.ts';

/**
 * Retries parked rows of a full copy that has ended: each becomes what the source has now, if the target accepts it.
 * @param refused tables that can no longer take part
 */
export async function retryParked(
  job: RunningJob,
  routes: readonly Route[],
  refused: readonly RefusedTable[],
  retries: readonly Retry[],
): Promise<void> {
  const mark = await job.sink.takeOver(job.spec.id);
  resumeFrom(job, mark);
  const asked = new Set(retries.map(({ id }) => id));
  for (const route of routes) {
    const { id } = route.source;
    const known = mark.tables.get(id);
    if (!asked.has(id) || !known) continue;
    const table = new TableProgress(route, known, mark.parked.get(id));
    table.isFinished = true;
    job.tables.set(id, table);
    job.observer.changed(table);
  }
  for (const { id, row } of retries) requestRetry(job, id, row);
  for (const request of job.requests.splice(0)) await request();
  tellLeft(job, refused, asked);
}

/** Requests for tables that are gone are reported, since nothing else shows it. */
function tellLeft(job: RunningJob, refused: readonly RefusedTable[], asked: ReadonlySet<string>): void {
  if ([...asked].every((id) => job.tables.has(id))) return;
  const reasons = refused.map(({ selection, error }) => `${tableName(selection)}: ${error.message}`).join(' ');
  const sentence =
    'Parked rows could not be retried, because their table no longer exists on both sides as it was copied.';
  job.observer.event('warning', `${sentence} ${reasons}`.trimEnd());
}
