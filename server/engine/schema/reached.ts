import type { RunningJob } from '../flow/running-job.ts';
import { hasReached, type Position } from '../position.ts';

const againMs = 100;

/** Waits until the target has everything that the log tells up to a place, or what is dropped of it has been told. */
export async function untilReached(job: RunningJob, position: Position): Promise<void> {
  while (!hasReached(job.position, position)) await job.clock.wait(againMs);
}
