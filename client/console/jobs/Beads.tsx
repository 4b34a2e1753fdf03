import type { Job } from '../../contract/jobs/jobs.ts';
import { standsStill } from './words.ts';

type Bead = 'done' | 'now' | 'still' | 'open' | 'none';

/** A job's phases in order, each with its progress. */
function beadsOf(job: Job): [name: string, bead: Bead][] {
  const { dataJobType, dataTaskState, structMigration, initialSync } = job;
  const has = {
    Structure: structMigration || dataJobType === 'STRUCT_MIGRATION',
    'Initial load': dataJobType === 'MIGRATION' || (dataJobType === 'SYNC' && initialSync),
    Follow: dataJobType === 'SYNC',
  };
  const at = { CREATED: -1, INIT: 0, FULL: 1, CATCH_UP: 1, INCRE: 2, COMPLETE: 3 }[dataTaskState];
  const here = standsStill(job) ? 'still' : 'now';
  return Object.entries(has).map(([name, isPart], step) => {
    if (!isPart) return [name, 'none'];
    return [name, step < at ? 'done' : step === at ? here : 'open'];
  });
}

const words: Record<Bead, string> = {
  done: 'done',
  now: 'now',
  still: 'not running',
  open: 'to come',
  none: 'not part of this job',
};

/** The phases of a job as beads on a line. */
export function Beads({ job }: { job: Job }) {
  return (
    <ol className="job-beads" aria-label="Phases">
      {beadsOf(job).map(([name, bead]) => (
        <li key={name} className={`job-bead job-bead-${bead}`} data-tip={`${name}: ${words[bead]}`}>
          <span className="visually-hidden">
            {name}: {words[bead]}
          </span>
        </li>
      ))}
    </ol>
  );
}
