import type { JobSample } from '../../contract/jobs/jobs.ts';

const hourMs = 3_600_000;
/** Over a shorter time the growth means nothing. */
const leastMs = 60_000;

/** How the log that the source keeps for a job grows. */
export interface LogGrowth {
  /** Negative when the log shrinks. */
  bytesPerHour: number;
  /** Until the source drops the log at this rate; null if it has no limit or does not grow. */
  hoursLeft: number | null;
}

/** The growth over samples, oldest first; undefined when they say too little. */
export function logGrowth(samples: readonly JobSample[]): LogGrowth | undefined {
  const told = samples.filter(({ retainedBytes }) => retainedBytes !== null);
  const [first, last] = [told[0], told.at(-1)];
  if (!first || !last || last.at - first.at < leastMs) return undefined;
  const grown = (last.retainedBytes ?? 0) - (first.retainedBytes ?? 0);
  const bytesPerHour = (grown * hourMs) / (last.at - first.at);
  const room = last.logRoomBytes ?? null;
  return { bytesPerHour, hoursLeft: room === null || bytesPerHour <= 0 ? null : room / bytesPerHour };
}
