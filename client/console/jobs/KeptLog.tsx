import type { JobSample } from '../../contract/jobs/jobs.ts';
import { logGrowth } from './log-growth.ts';
import { size } from './words.ts';

/** Less than this many hours is trouble. */
const fewHours = 12;
/** A page or two of log is no growth. */
const noticeable = 1_000_000;

/** How much log the source keeps for the job, how it grows, and how long that can go on. */
export function KeptLog({ samples }: { samples: readonly JobSample[] }) {
  const kept = samples.at(-1)?.retainedBytes ?? null;
  if (kept === null) return null;
  const growth = logGrowth(samples);
  const hours = growth?.hoursLeft ?? null;
  return (
    <span>
      The source keeps {size(kept)} of its log for this job
      {growth && growth.bytesPerHour > noticeable && `, ${size(growth.bytesPerHour)} more an hour`}
      {hours !== null && growth && growth.bytesPerHour > noticeable && (
        <span className={hours < fewHours ? 'job-late' : undefined}>
          {hours < 1 ? ': less than an hour until it gives it up' : `: ${Math.floor(hours)} h until it gives it up`}
        </span>
      )}
      .
    </span>
  );
}
