import { z } from 'zod';
import type { Database } from '../../storage/database.ts';

/** Tasks of different lanes do not wait for each other: a silent mail server holds up no SMS and no bill. */
export const lanes = ['others', 'mail', 'sms'] as const;

export type Lane = (typeof lanes)[number];

/** Whether the due tasks of a lane may run, or one of them as the probe of a lane that is paused. */
export type Turn = 'open' | 'probe';

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
/** How long a process has for its probe before another one may make the next; a message takes less. */
const probeMs = 120_000;

const laneRow = z.object({ faults: z.number() });

/** Whether only probes of a lane may run. */
export async function isPaused(database: Database, lane: Lane): Promise<boolean> {
  const paused = await database.one(laneRow, 'SELECT faults FROM task_lane WHERE name = $1 AND faults > 0', [lane]);
  return paused !== undefined;
}

/**
 * Of all servers on a store, one at a time probes a paused lane. A pause that is longer than any was made by a clock that
 * ran ahead.
 * @returns undefined while none of its tasks may run
 */
export async function nextTurn(database: Database, lane: Lane, now: number): Promise<Turn | undefined> {
  if (!(await isPaused(database, lane))) return 'open';
  const won = await database.run(
    'UPDATE task_lane SET paused_until = $1 WHERE name = $2 AND faults > 0 AND (paused_until <= $3 OR paused_until > $4)',
    [now + probeMs, lane, now, now + 2 * probeMs],
  );
  return won === 1 ? 'probe' : undefined;
}

/** Pauses a lane after a failure that concerns all of its tasks, twice as long after each failed probe, up to a minute. */
export function pauseLane(database: Database, lane: Lane, turn: Turn, now: number): Promise<void> {
  return database.transaction(async (queries) => {
    const ifOpen = turn === 'open' ? ' AND faults = 0' : '';
    const paused = await queries.one(
      laneRow,
      `UPDATE task_lane SET faults = faults + 1 WHERE name = $1${ifOpen} RETURNING faults`,
      [lane],
    );
    if (!paused) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** (paused.faults - 1), longestPauseMs);
    await queries.run('UPDATE task_lane SET paused_until = $1 WHERE name = $2', [now + pauseMs, lane]);
  });
}

/** Leaves the probe to the next task: the one that was taken was not tried. */
export async function returnProbe(database: Database, lane: Lane, now: number): Promise<void> {
  await database.run('UPDATE task_lane SET paused_until = $1 WHERE name = $2', [now, lane]);
}

/** Ends a lane's pause: everything that waits in it is due now. */
export function openLane(database: Database, lane: Lane, now: number): Promise<void> {
  return database.transaction(async (queries) => {
    await queries.run('UPDATE task_lane SET faults = 0, paused_until = 0 WHERE name = $1', [lane]);
    await queries.run('UPDATE task SET due_at = $1 WHERE lane = $2 AND due_at > $1', [now, lane]);
  });
}
