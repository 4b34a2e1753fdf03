import type { EngineError } from '../errors.ts';
import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import type { Reread, TableMark } from '../mark.ts';
import { shapeOf } from '../schema/shape.ts';
import { resyncMark, startCopy, type TableProgress } from './table-progress.ts';
import { Touched } from './touched.ts';

/** Writes a table's mark; the caller holds its lock. */
async function writeMark(
  job: RunningJob,
  table: TableProgress,
  wanted: TableMark,
  rereads?: readonly Reread[],
): Promise<void> {
  const mark = { ...wanted, shape: shapeOf(table.route.source) };
  await job.sink.write(markUpdate(job, { tables: new Map([[table.id, mark]]), ...(rereads && { rereads }) }));
  table.generation++;
  table.mark = mark;
  job.observer.changed(table);
}

/** Stops one table's copy and drops its changes from now on; the others go on. */
export async function blockTable(job: RunningJob, table: TableProgress, error: EngineError): Promise<void> {
  await job.locks.with([table.id], async () => {
    if (!table.isSkipped) await blockLocked(job, table, error);
  });
}

/** The same for a caller that holds the table's lock. @param rereads what is left to be read again, of other tables */
export async function blockLocked(
  job: RunningJob,
  table: TableProgress,
  error: EngineError,
  rereads?: readonly Reread[],
): Promise<void> {
  table.fault = error;
  // The row that could not be read again is missing, as if its change had been dropped.
  const skippedFrom = rereads ? (table.mark.skippedFrom ?? job.position) : table.mark.skippedFrom;
  await writeMark(job, table, { ...table.mark, state: 'blocked', code: error.code, skippedFrom }, rereads);
  job.observer.blocked(table, error);
}

/** What a person asks of one table; done between two transactions of the stream. */
export function requestTable(job: RunningJob, id: string, action: 'pause' | 'resume' | 'resync'): void {
  job.requests.push(async () => {
    const table = job.tables.get(id);
    if (!table) return;
    await job.locks.with([id], async () => {
      const next = afterRequest(job, table, action);
      if (!next) return;
      table.fault = undefined;
      await writeMark(job, table, next);
      startCopy(job, table);
    });
    wantCopy(job);
  });
}

/** Copies a table again from its first row, for a caller that holds its lock. @param rereads as for `blockLocked` */
export async function resyncLocked(job: RunningJob, table: TableProgress, rereads: readonly Reread[]): Promise<void> {
  await writeMark(job, table, resyncMark(), rereads);
  startCopy(job, table);
  wantCopy(job);
  const sentence = 'A row could not be read again, since another one had its unique value: the table is copied again.';
  job.observer.event('warning', sentence, table);
}

/** Another shape of the table, copied again from its first row; the caller holds its lock. */
export async function resyncAs(job: RunningJob, table: TableProgress, route: Route): Promise<void> {
  table.route = route;
  table.touched = new Touched(route.target);
  await writeMark(job, table, resyncMark());
  startCopy(job, table);
  wantCopy(job);
}

function afterRequest(
  { spec }: RunningJob,
  table: TableProgress,
  action: 'pause' | 'resume' | 'resync',
): TableMark | undefined {
  const { mark } = table;
  if (mark.state === 'removed') return undefined;
  if (action === 'resync') return resyncMark();
  if (action === 'pause') return table.isSkipped ? undefined : { ...mark, state: 'paused' };
  if (!table.isSkipped) return undefined;
  // Nothing was dropped, and every chunk is there.
  const isCopied = mark.ranges.every(({ done }) => done) && (mark.liveAfter !== null || !spec.initialLoad);
  const isComplete = mark.skippedFrom === null && isCopied;
  return isComplete ? { ...mark, state: 'catching-up', code: null } : resyncMark();
}
