import { JobError } from '../errors.ts';
import { jobOf } from '../jobs.ts';
import { removalOf, removeRow } from '../remove-job.ts';
import type { JobServices } from '../services.ts';

/**
 * Deletes a job whose deletion fails because one of its sides is gone for good; what it keeps there stays.
 * @throws JobError NO_JOB, NOT_POSSIBLE
 */
export async function deleteAnyway(services: JobServices, uid: string, jobId: number): Promise<null> {
  const { database, jobs, log } = services;
  const job = await database.transaction(async (queries) => {
    const found = await jobOf(queries, uid, jobId);
    if (found.life_cycle !== 'DELETING' || found.failures === 0)
      throw new JobError(
        'NOT_POSSIBLE',
        'What a job keeps on its sides can be left there only if its deletion has failed: delete the job first.',
      );
    await removeRow(queries, found);
    return found;
  });
  const stays = await removalOf(services, job);
  log.warn(
    { job: jobId, name: job.name, removal: stays },
    'a job was deleted, and what it keeps on one side stays there',
  );
  jobs.wake();
  return null;
}
