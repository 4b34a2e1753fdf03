import { copyProgress } from '../../contract/jobs/copy-progress.ts';
import type { JobDetail } from '../../contract/jobs/jobs.ts';
import { duration, shortRows } from './words.ts';

/** How far the copy has got, how fast it is, and how long it still takes. */
export function Progress({ job, tables, samples }: Pick<JobDetail, 'job' | 'tables' | 'samples'>) {
  if (job.currTaskStatus !== 'RUNNING' || job.dataTaskState !== 'FULL') return null;
  const { rows, all, rate, leftMs } = copyProgress(tables, samples);
  return (
    <div className="job-progress">
      <progress aria-label="Rows copied" value={rows} max={Math.max(1, all)} />
      <span>
        {shortRows(rows)} of about {shortRows(all)} rows copied, {shortRows(rate)} rows/s
        {leftMs !== null && `, about ${duration(leftMs)} left`}
      </span>
    </div>
  );
}
