import type { Row } from '../change.ts';
import { EngineError } from '../errors.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { keyMark, type Reread } from '../mark.ts';
import { tableName } from '../table.ts';
import { keepsKeyTexts } from './key-texts.ts';
import type { TableProgress } from './table-progress.ts';

/** Held, beside the locks of tables, by everybody who changes what is to be read again: a mark holds all of it in one. */
export const rereadsLock = 'rereads';

/** Rows that wait to be read again, at most; more would make every mark a large one. */
export const mostRereads = 10_000;

/**
 * Deletes rows of the target that hold a unique value which one of these rows has taken over: while a table is copied, its
 * rows at the target are of different moments. They are added to what the job has to read again. The caller holds the
 * table's lock and `rereadsLock`.
 * @returns the deleted rows; none where nothing was in the way, or nobody could read them again
 */
export async function makeRoom(job: RunningJob, table: TableProgress, rows: readonly Row[]): Promise<Reread[]> {
  // What is deleted has to be found at the source again.
  if (!keepsKeyTexts(table.route)) return [];
  const evicted: Reread[] = [];
  await job.sink.evict(table.route.target, rows, (keys) => {
    // It may be asked again, where the target did not take the transaction.
    evicted.length = 0;
    if (job.rereads.length + keys.length > mostRereads)
      throw new EngineError('UNIQUE_REFUSED', { side: 'target', table: tableName(table.route.target) });
    // Nobody knows who touched a deleted row last; they are read again together, so one names all.
    for (const [place, key] of keys.entries())
      evicted.push({ table: table.id, key: keyMark(key), transactions: place === 0 ? [...job.unseen] : [] });
    return markUpdate(job, { rereads: [...job.rereads, ...evicted] });
  });
  job.rereads = [...job.rereads, ...evicted];
  return evicted;
}
