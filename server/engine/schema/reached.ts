import type { RunningJob } from '../flow/running-job.ts';
import { hasReached, type Position } from '../position.ts';

const againMs = 100;

/** Waits until the target has everything in the log up to a position, or what it drops of that has been delivered. */
export async function untilReached(job: RunningJob, position: Position): Promise<void> {
  while (!hasReached(job.position, position)) await job.clock.wait(againMs);
}
