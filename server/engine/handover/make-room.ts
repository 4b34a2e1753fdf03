import type { Row } from '../change.ts';
import { EngineError } from '../errors.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { keyMark, type Reread } from '../mark.ts';
import { tableName } from '../table.ts';
import { keepsKeyTexts } from './key-texts.ts';
import type { TableProgress } from './table-progress.ts';

/** Held, besides tables' locks, to change the list of rows to reread: a mark stores that list as a whole. */
export const rereadsLock = 'rereads';

/** Limit on rows waiting to be reread; more would make every mark a large one. */
export const mostRereads = 10_000;

/**
 * Deletes target rows that hold a unique value which one of these rows has taken over: while a table is copied, its
 * target rows are from different moments. The deleted rows are added to the rows to reread. The caller holds the
 * table's lock and `rereadsLock`.
 * @returns the deleted rows; none if nothing was in the way, or if they could not be reread
 */
export async function makeRoom(job: RunningJob, table: TableProgress, rows: readonly Row[]): Promise<Reread[]> {
  // Deleted rows must be found again at the source.
  if (!keepsKeyTexts(table.route)) return [];
  const evicted: Reread[] = [];
  await job.sink.evict(table.route.target, rows, (keys) => {
    // This may be called again if the target did not accept the transaction.
    evicted.length = 0;
    if (job.rereads.length + keys.length > mostRereads)
      throw new EngineError('UNIQUE_REFUSED', { side: 'target', table: tableName(table.route.target) });
    // Their last transactions are unknown; the rows are reread together, so the first one lists all of them.
    for (const [place, key] of keys.entries())
      evicted.push({ table: table.id, key: keyMark(key), transactions: place === 0 ? [...job.unseen] : [] });
    return markUpdate(job, { rereads: [...job.rereads, ...evicted] });
  });
  job.rereads = [...job.rereads, ...evicted];
  return evicted;
}
