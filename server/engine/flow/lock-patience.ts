import { EngineError } from '../errors.ts';
import type { Named } from '../sink.ts';
import { tableName } from '../table.ts';
import type { RunningJob } from './running-job.ts';

/** How often a lock held by another session is retried before the waiting operation gives up for a while. */
export const mostTries = 10;

/** Whether to wait for a lock once more: the job's own work on structure ends, however long it takes. */
export function mayTryAgain({ making, observer }: RunningJob, tries: number, most = mostTries): boolean {
  if (!making || making.steps) return tries < most;
  if (tries === most) observer.event('info', `Rows wait until the ${making.kind} of ${making.table} is created.`);
  return true;
}

/** Whether the job itself keeps a target table from being altered, so that altering it would deadlock with itself. */
export function isMadeNow({ making }: RunningJob, target: Named): boolean {
  return making?.table === tableName(target);
}

/** @throws EngineError LOCK_TIMED_OUT while the job itself creates an index or a constraint of the table */
export function assertNotMadeNow(job: RunningJob, target: Named): void {
  if (isMadeNow(job, target)) throw new EngineError('LOCK_TIMED_OUT', { side: 'target', table: tableName(target) });
}

/** From this try on a lock is reported: short ones, and lost deadlocks, pass unnoticed. */
const toldTry = 2;

/** Says, once for a batch, why nothing is applied; unless the job waits for its own work. */
export function tellLock({ making, observer }: RunningJob, error: EngineError, tries: number): void {
  if (making || tries !== toldTry) return;
  observer.event(
    'warning',
    `${error.message} Changes of all tables wait until it ends, since they are applied in order.`,
  );
}

/** Pause between two tries, in milliseconds. */
export const betweenTriesMs = 1_000;

/** Each try to alter a locked target table stalls the stream, so the pauses grow from this one, in milliseconds. */
export const firstPauseMs = 10_000;
const longestPauseMs = 300_000;

/** The pause after one that was not long enough. */
export const longerPause = (ms: number) => Math.min(2 * ms, longestPauseMs);
