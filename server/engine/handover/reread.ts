import { type Key, keyOf, keyText } from '../change.ts';
import { isOfTable } from '../errors.ts';
import { routeRow } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { markedKey, type Reread } from '../mark.ts';
import type { TableProgress } from './table-progress.ts';
import { blockLocked, resyncLocked } from './table-requests.ts';

/** How long to wait for a snapshot that sees a transaction which is decoded and not visible yet, in milliseconds. */
const visibleWaitMs = 50;

/**
 * Reads rows again that the target lacks and the stream told in part only. The caller holds the locks of their tables, so
 * that nothing newer is applied meanwhile.
 */
export async function rereadRows(job: RunningJob, rereads: readonly Reread[]): Promise<void> {
  const byTable = Map.groupBy(rereads, ({ table }) => table);
  const left = [...rereads];
  for (const [id, ofTable] of byTable) {
    const table = job.tables.get(id);
    left.splice(0, left.length, ...left.filter((reread) => reread.table !== id));
    if (!table || table.isSkipped) {
      await job.sink.write(markUpdate(job, { rereads: [...left] }));
      continue;
    }
    try {
      await rereadTable(job, table, ofTable, [...left]);
    } catch (error) {
      if (!isOfTable(error)) throw error;
      // Another row at the target still has a unique value that this newer one has taken over.
      if (error.code === 'UNIQUE_REFUSED' && table.mark.state === 'live') await resyncLocked(job, table, [...left]);
      else await blockLocked(job, table, error, [...left]);
    }
  }
  job.rereads = [];
}

async function rereadTable(
  job: RunningJob,
  table: TableProgress,
  ofTable: readonly Reread[],
  left: readonly Reread[],
): Promise<void> {
  const keys = [...new Map(ofTable.map(({ key }) => [keyText(markedKey(key)), markedKey(key)])).values()];
  const rows = await readKeys(job, table, keys, ofTable);
  const found = new Set(rows.map((row) => keyText(keyOf(table.route.target, row))));
  await job.sink.load(
    {
      table: table.route.target,
      rows,
      absent: keys.filter((key) => !found.has(keyText(key))),
      replace: null,
      conflict: 'replace',
    },
    markUpdate(job, { rereads: left }),
  );
}

async function readKeys(job: RunningJob, table: TableProgress, keys: readonly Key[], because: readonly Reread[]) {
  for (;;) {
    const { source, selection } = table.route;
    const chunk = await job.source.read(source, { keys }, selection.filter);
    if (because.every(({ transactions }) => transactions.every(chunk.sees)))
      return chunk.rows.map((row) => routeRow(table.route, row));
    await job.clock.wait(visibleWaitMs);
  }
}
