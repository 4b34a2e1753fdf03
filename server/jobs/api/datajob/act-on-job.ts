import type { JobAction } from '../../../../client/contract/jobs/jobs.ts';
import type { ConsoleServices } from '../../../console/services.ts';
import { act, jobOf } from '../../jobs.ts';

/** Whoever acts on a job wants it now, and starts its counts of faults anew. */
const fresh = { failures: 0, nextTryAt: null };

/** Does what a person asks of a job. @throws JobError NOT_POSSIBLE with what would be possible */
export async function actOnJob(
  services: ConsoleServices,
  uid: string,
  jobId: number,
  action: JobAction,
): Promise<null> {
  const { database, jobs } = services;
  await act(database, await jobOf(database, uid, jobId), action, fresh);
  jobs.wake();
  return null;
}
