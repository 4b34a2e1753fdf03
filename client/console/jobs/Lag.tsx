import type { Job } from '../../contract/jobs/jobs.ts';
import { duration, lateMs } from './words.ts';

/** How far behind the target is now. */
export function Lag({ job }: { job: Job }) {
  const { lagMs } = job;
  if (lagMs === null || job.currTaskStatus !== 'RUNNING') return <NoFigure words="not following now" />;
  return (
    <span className={lagMs > lateMs ? 'figure job-late' : 'figure'}>
      {duration(lagMs)}
      {lagMs > lateMs && <span className="visually-hidden"> late</span>}
    </span>
  );
}

/** A dash in place of a missing figure. @param words the reason, for screen readers */
export function NoFigure({ words }: { words: string }) {
  return (
    <span className="figure job-none">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
