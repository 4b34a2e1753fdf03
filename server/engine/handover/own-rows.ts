import { isOfTable } from '../errors.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { JobSpec } from '../job.ts';
import type { TableMark } from '../mark.ts';
import type { Table } from '../table.ts';

/**
 * Whether a job that follows may copy a table again by itself, which replaces rows of the target and deletes those that the
 * source lacks. Where it copies nothing, or keeps rows that it has found, they may be somebody else's: a person decides.
 */
export function mayCopyAgain({ initialLoad, conflict }: JobSpec, { wasEmpty }: TableMark): boolean {
  return initialLoad && (conflict === 'replace' || wasEmpty);
}

/** Whether a table of the target has no row; of one that is locked now, or has no key, nobody can say. */
export async function isEmpty({ sink }: RunningJob, target: Table): Promise<boolean> {
  if (target.key.length === 0) return false;
  try {
    return (await sink.keys(target, null, 1)).length === 0;
  } catch (error) {
    if (!isOfTable(error) || error.retry !== 'timed') throw error;
    return false;
  }
}
