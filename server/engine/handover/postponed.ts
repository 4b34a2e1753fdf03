import { keyText } from '../change.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { markedKey, type Reread } from '../mark.ts';
import { hasReached, type Position } from '../position.ts';
import { mostRereads } from './make-room.ts';
import type { TableProgress } from './table-progress.ts';

/** How often a row is reread because another row holds its unique value, before it is parked. */
const mostRounds = 10;

/**
 * Whether rows whose unique values are taken at the target may wait: a live table is as old as the stream, and a row
 * read now is newer, so the stream may still release the value.
 */
export function mayPostpone({ rereads }: RunningJob, table: TableProgress): boolean {
  return !table.mayMakeRoom && !table.isFinished && rereads.length <= mostRereads;
}

/** Whether a row has waited as often as it may. */
export function hasWaited({ postponed }: RunningJob, reread: Reread): boolean {
  return (postponed.get(reread)?.rounds ?? 0) >= mostRounds;
}

/**
 * Postpones rows of one table until the stream has delivered everything logged so far; a snapshot has seen their
 * transactions.
 * @param left the other rows to reread
 * @returns all of them; a row that was delivered again while it waited waits once, and its count does not restart
 */
export async function postpone(
  { postponed, source }: RunningJob,
  rereads: readonly Reread[],
  left: readonly Reread[],
): Promise<Reread[]> {
  const until = await source.now();
  const byKey = new Map(rereads.map((reread) => [rowOf(reread), reread]));
  const isAgain = (reread: Reread) => postponed.has(reread) && byKey.has(rowOf(reread));
  const rounds = new Map<string, number>();
  for (const reread of [...left.filter(isAgain), ...rereads])
    rounds.set(rowOf(reread), Math.max(rounds.get(rowOf(reread)) ?? 0, postponed.get(reread)?.rounds ?? 0));
  const waiting = [...byKey].map(([row, reread]) => {
    const one = { ...reread, transactions: [] };
    postponed.set(one, { until, rounds: (rounds.get(row) ?? 0) + 1 });
    return one;
  });
  return [...left.filter((reread) => !isAgain(reread)), ...waiting];
}

const rowOf = ({ table, key }: Reread) => `${table} ${keyText(markedKey(key))}`;

/** Tables whose rows wait for the stream; the rows of a table being copied are read once it is complete. */
export function waitingTables({ rereads, postponed, tables }: RunningJob): string[] {
  return rereads.flatMap((reread) =>
    postponed.has(reread) && tables.get(reread.table)?.isCopied === false ? [reread.table] : [],
  );
}

/** Whether a row has waited, and the stream has reached the position that it waited for. */
export function isDue({ postponed }: RunningJob, reread: Reread, position: Position | null): boolean {
  const wait = postponed.get(reread);
  return wait !== undefined && hasReached(position, wait.until);
}
