import type { Job } from '../../contract/jobs/jobs.ts';
import { duration, lateMs } from './words.ts';

/** How far the target is behind now. */
export function Lag({ job }: { job: Job }) {
  const { lagMs } = job;
  if (lagMs === null || job.currTaskStatus !== 'RUNNING') return <NoFigure words="not followed now" />;
  return (
    <span className={lagMs > lateMs ? 'figure job-late' : 'figure'}>
      {duration(lagMs)}
      {lagMs > lateMs && <span className="visually-hidden"> late</span>}
    </span>
  );
}

/** A dash where there is no figure. @param words why, for a reader */
export function NoFigure({ words }: { words: string }) {
  return (
    <span className="figure job-none">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
