import type { JobSample } from '../../contract/jobs/jobs.ts';

/** Length of the stretches in which the server stores the last hour, in milliseconds. */
const spanMs = 10_000;
/** As many as an hour has: a page that stays open must not grow. */
const most = 360;

const stretchOf = ({ at }: JobSample) => Math.ceil(at / spanMs);

/**
 * The samples of the last hour with one that has just arrived, oldest first: the seconds of the current stretch, and
 * one sample for each stretch before it. A sample of an earlier stretch is part of that one already.
 */
export function samplesAfter(samples: readonly JobSample[], told: JobSample): JobSample[] {
  const now = stretchOf(told);
  const last = samples.at(-1);
  if (last && stretchOf(last) > now) return [...samples];
  // The server's current stretch ends in the future and is not full yet.
  const past = samples.filter(({ at }) => at < told.at);
  const stretches = Map.groupBy(past, stretchOf);
  const kept = [...stretches].flatMap(([stretch, parts]) => (stretch === now ? parts : [joined(parts)]));
  return [...kept, told].slice(-most);
}

/** Joins consecutive samples into one: sums, and the largest lag and memory. */
function joined(parts: readonly JobSample[]): JobSample {
  return parts.reduce((before, next) => ({
    ...next,
    spanMs: before.spanMs + next.spanMs,
    copied: before.copied + next.copied,
    applied: before.applied + next.applied,
    transactions: before.transactions + next.transactions,
    bytes: before.bytes + next.bytes,
    lagMs: next.lagMs === null ? before.lagMs : Math.max(before.lagMs ?? 0, next.lagMs),
    waitedForSourceMs: before.waitedForSourceMs + next.waitedForSourceMs,
    waitedForTargetMs: before.waitedForTargetMs + next.waitedForTargetMs,
    memoryBytes: Math.max(before.memoryBytes, next.memoryBytes),
  }));
}
