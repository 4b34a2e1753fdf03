import { EngineError, isOfTable } from '../errors.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { JobSpec } from '../job.ts';
import type { TableMark } from '../mark.ts';
import type { Table } from '../table.ts';

/**
 * Whether a job that follows may copy a table again by itself, which replaces rows of the target and deletes those that the
 * source lacks. Where it copies nothing, or keeps rows that it has found, they may be somebody else's: a person decides.
 */
export function mayCopyAgain(spec: JobSpec, { wasEmpty }: TableMark): boolean {
  return spec.initialLoad && (wasEmpty || !keepsRows(spec));
}

/** Why a person decides of a table that would have to be copied again. */
export const withoutCopy = (why: string) => `${why}, and this job does not copy rows again automatically`;

/** Whether rows that a job finds at the target stay: where it copies nothing, or nothing over them. */
export function keepsRows({ initialLoad, conflict }: JobSpec): boolean {
  return !initialLoad || conflict === 'ignore';
}

/** Whether a table of the target has no row; of one that cannot be asked now, or by its key, nobody can say. */
export async function isEmpty({ sink }: RunningJob, target: Table): Promise<boolean> {
  if (target.key.length === 0) return false;
  try {
    return (await sink.keys(target, null, 1)).length === 0;
  } catch (error) {
    // Such as a type of the key that has no order; what keeps its rows out is told by their copy.
    const isUnexpected = error instanceof EngineError && error.code === 'UNEXPECTED';
    if (!isOfTable(error) && !isUnexpected) throw error;
    return false;
  }
}
