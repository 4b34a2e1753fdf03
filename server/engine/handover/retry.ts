import { isOfTable } from '../errors.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { ParkedRow } from '../mark.ts';
import { rereadsLock } from './make-room.ts';
import { rereadTable } from './reread.ts';
import type { TableProgress } from './table-progress.ts';

/**
 * Retries parked rows of a table between two transactions of the stream: each becomes what the source has now.
 * @param number of one row; null for all
 * @param carried called once they were tried, or if there is none
 */
export function requestRetry(
  job: RunningJob,
  id: string,
  number: number | null,
  carried: () => void = () => undefined,
): void {
  job.requests.push(async () => {
    const table = job.tables.get(id);
    if (table)
      await job.locks.with([id, rereadsLock], async () => {
        const rows = [...table.parked.values()].filter((row) => number === null || row.number === number);
        // A table that drops its changes is copied again when it is resumed.
        if (!table.isSkipped && rows.length > 0) await retry(job, table, rows);
      });
    carried();
  });
}

async function retry(job: RunningJob, table: TableProgress, rows: readonly ParkedRow[]): Promise<void> {
  const [first, ...others] = rows.map(({ key }) => ({ table: table.id, key, transactions: [] as string[] }));
  if (!first) return;
  // Everything that a parked key absorbed is among these; snapshots that see them all see the row as it is.
  const rereads = [{ ...first, transactions: [...job.unseen] }, ...others];
  try {
    const refused = await rereadTable(job, table, { rereads, left: job.rereads, most: 1 });
    const written = rows.length - refused.length;
    if (written > 0)
      job.observer.event('info', `Parked rows were written to the target: ${written} of ${rows.length}.`, table);
  } catch (error) {
    if (!isOfTable(error)) throw error;
    // They stay parked, and the table goes on.
    job.observer.event('warning', `Parked rows could not be retried: ${error.message}`, table);
  }
}
