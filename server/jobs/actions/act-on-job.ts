import type { JobAction } from '../../../client/contract/jobs/jobs.ts';
import { allowedLinks } from '../../console/licensing/installation.ts';
import { type AlsoSet, act, type JobRow, jobOf, stateOf } from '../jobs.ts';
import { isActive, takesLink } from '../links.ts';
import type { JobServices } from '../services.ts';
import { after, type JobTrigger } from '../state.ts';
import { requireLink } from './require-link.ts';

/** An action resets the job's fault count and its retry time. */
const fresh = { failures: 0, nextTryAt: null };

/** Carries out a user's action. @param on the trigger, if another @throws JobError NOT_POSSIBLE, LICENCE_LINKS */
export async function actOnJob(
  services: JobServices,
  uid: string,
  jobId: number,
  action: JobAction,
  also: AlsoSet = {},
  on: JobTrigger = action,
): Promise<null> {
  const { database, jobs } = services;
  const allowed = await allowedLinks(services);
  await database.transaction(async (queries) => {
    const job = await jobOf(queries, uid, jobId);
    const need = needOf(job, on);
    if (need) await requireLink(queries, allowed, need);
    await act(queries, job, action, { ...fresh, ...also }, on);
  });
  jobs.wake();
  return null;
}

/** What an action needs from the licence; undefined if it needs nothing, or is not possible at all. */
function needOf(job: JobRow, on: JobTrigger): 'link' | 'run' | undefined {
  const before = stateOf(job);
  const next = after(on, before);
  if (job.practice || !next) return undefined;
  if (takesLink(next) && !takesLink(before)) return 'link';
  return isActive(next) && !isActive(before) ? 'run' : undefined;
}
