import type { Job } from '../../contract/jobs/jobs.ts';
import { duration, lateMs } from './words.ts';

/** How far the target is behind now. */
export function Lag({ job }: { job: Job }) {
  const { lagMs } = job;
  if (lagMs === null || job.currTaskStatus !== 'RUNNING')
    return (
      <span className="figure job-none">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">not followed now</span>
      </span>
    );
  return (
    <span className={lagMs > lateMs ? 'figure job-late' : 'figure'}>
      {duration(lagMs)}
      {lagMs > lateMs && <span className="visually-hidden"> late</span>}
    </span>
  );
}
