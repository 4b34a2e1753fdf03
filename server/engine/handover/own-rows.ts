import { EngineError, isOfTable } from '../errors.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { JobSpec } from '../job.ts';
import type { TableMark } from '../mark.ts';
import type { Table } from '../table.ts';

/**
 * Whether a job that follows may copy a table again on its own, which replaces target rows and deletes those that the
 * source lacks. If it copies nothing, or keeps rows that it found, they may not be its own: an operator decides.
 */
export function mayCopyAgain(spec: JobSpec, { wasEmpty }: TableMark): boolean {
  return spec.initialLoad && (wasEmpty || !keepsRows(spec));
}

/** Why a person decides of a table that would have to be copied again. */
export const withoutCopy = (why: string) => `${why}, and this job does not copy rows again automatically`;

/** Whether rows that a job finds at the target stay: it copies nothing, or does not overwrite them. */
export function keepsRows({ initialLoad, conflict }: JobSpec): boolean {
  return !initialLoad || conflict === 'ignore';
}

/** Whether a target table has no rows; false if it cannot be read now, or not by its key. */
export async function isEmpty({ sink }: RunningJob, target: Table): Promise<boolean> {
  if (target.key.length === 0) return false;
  try {
    return (await sink.keys(target, null, 1)).length === 0;
  } catch (error) {
    // For example a key type that has no order; what keeps its rows out is reported by their copy.
    const isUnexpected = error instanceof EngineError && error.code === 'UNEXPECTED';
    if (!isOfTable(error) && !isUnexpected) throw error;
    return false;
  }
}
