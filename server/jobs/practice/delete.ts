import { z } from 'zod';
import { JobError } from '../errors.ts';
import { jobOf, move } from '../jobs.ts';
import type { JobServices } from '../services.ts';

const found = z.object({ id: z.number() });

/** Deletes a practice pair: a running job is stopped first. @throws JobError DATA_SOURCE_IN_USE by another job */
export async function deletePractice(services: JobServices, uid: string, jobId: number): Promise<null> {
  const { database, jobs } = services;
  const job = await jobOf(database, uid, jobId);
  if (!job.practice) throw new JobError('NOT_OFFERED', 'This job is not a practice pair: stop it, then delete it.');
  if (job.life_cycle === 'DELETING') return null;
  const other = await database.one(
    found,
    'SELECT id FROM data_job WHERE id <> $1 AND (source_id IN ($2, $3) OR target_id IN ($2, $3)) LIMIT 1',
    [job.id, job.source_id, job.target_id],
  );
  if (other) throw new JobError('DATA_SOURCE_IN_USE');
  if (await move(database, jobId, 'delete', { failures: 0, nextTryAt: null })) {
    jobs.wake();
    return null;
  }
  await move(database, jobId, 'stop', { nextTryAt: null });
  await database.run('UPDATE data_job SET deletes_when_stopped = 1 WHERE id = $1', [jobId]);
  jobs.wake();
  return null;
}
