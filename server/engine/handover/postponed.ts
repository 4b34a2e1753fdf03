import { keyText } from '../change.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { markedKey, type Reread } from '../mark.ts';
import { hasReached, type Position } from '../position.ts';
import { mostRereads } from './make-room.ts';
import type { TableProgress } from './table-progress.ts';

/** So often at most a row is read again once more because another one has its unique value, before it is parked. */
const mostRounds = 10;

/** Until when a row that is read again waits, and how often it did. */
interface Wait {
  until: Position;
  rounds: number;
}

/** Rows that wait for the stream. A later process knows nothing of it and tries at once. */
export type Postponed = WeakMap<Reread, Wait>;

/**
 * Whether rows that meet their unique values at the target may wait: a live table is as old as the stream, and a row that
 * is read now is newer, so that the stream may still tell that the value was given up.
 */
export function mayPostpone({ rereads }: RunningJob, table: TableProgress): boolean {
  return !table.mayMakeRoom && !table.isFinished && rereads.length <= mostRereads;
}

/** Whether a row has waited as often as it may. */
export function hasWaited({ postponed }: RunningJob, reread: Reread): boolean {
  return (postponed.get(reread)?.rounds ?? 0) >= mostRounds;
}

/**
 * Keeps rows of one table until the stream has told all that there is now; a snapshot has seen their transactions.
 * @param left what else is to be read again
 * @returns all of it; a row that was told once more while it waited waits once, and does not begin to count anew
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

/** Tables whose rows wait for the stream; those of a table that is copied are read once it is there. */
export function waitingTables({ rereads, postponed, tables }: RunningJob): string[] {
  return rereads.flatMap((reread) =>
    postponed.has(reread) && tables.get(reread.table)?.isCopied === false ? [reread.table] : [],
  );
}

/** Whether a row has waited, and the stream has come to where it waited for. */
export function isDue({ postponed }: RunningJob, reread: Reread, position: Position | null): boolean {
  const wait = postponed.get(reread);
  return wait !== undefined && hasReached(position, wait.until);
}
