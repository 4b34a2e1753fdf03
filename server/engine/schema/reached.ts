import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { hasReached, type Position } from '../position.ts';
import { listed, tableName } from '../table.ts';

const againMs = 100;

/** How long copies wait before that is reported, in milliseconds. */
const toldAfterMs = 5_000;

/**
 * Waits until the target has everything in the log up to a position, or what it drops of that has been delivered.
 * @param held tables whose copies wait for it
 */
export async function untilReached(
  job: RunningJob,
  position: Position,
  held: readonly TableProgress[] = [],
): Promise<void> {
  const { clock, observer } = job;
  const begunAt = clock.elapsed();
  let isTold = held.length === 0;
  while (!hasReached(job.position, position)) {
    if (!isTold && clock.elapsed() - begunAt >= toldAfterMs) {
      const names = listed(held.map(({ route }) => tableName(route.source)));
      observer.event(
        'info',
        `Copies wait until the job has read the older part of its log, whose changes they contain: ${names}.`,
      );
      isTold = true;
    }
    await clock.wait(againMs);
  }
}
