import type { JobSample } from '../../contract/jobs/jobs.ts';
import { logGrowth } from './log-growth.ts';
import { size } from './words.ts';

/** Fewer hours than this are shown as trouble. */
const fewHours = 12;
/** A page or two of log does not count as growth. */
const noticeable = 1_000_000;

/** How much log the source keeps for the job, how fast it grows, and how long that can last. */
export function KeptLog({ samples }: { samples: readonly JobSample[] }) {
  const kept = samples.at(-1)?.retainedBytes ?? null;
  if (kept === null) return null;
  const growth = logGrowth(samples);
  const hours = growth?.hoursLeft ?? null;
  return (
    <span>
      The source is keeping {size(kept)} of its log for this job
      {growth && growth.bytesPerHour > noticeable && `, growing by ${size(growth.bytesPerHour)} an hour`}
      {hours !== null && growth && growth.bytesPerHour > noticeable && (
        <span className={hours < fewHours ? 'job-late' : undefined}>
          {hours < 1 ? ': less than an hour until it drops it' : `: ${Math.floor(hours)} h until it drops it`}
        </span>
      )}
      .
    </span>
  );
}
