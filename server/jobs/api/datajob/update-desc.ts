import { z } from 'zod';
import { jobOf } from '../../jobs.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({ jobId: id, dataJobDesc: z.string().max(255) });

export const updateJobDescription = openCall(
  'datajob/updatedesc',
  {
    summary: 'Changes the description of a job.',
    body,
    example: { jobId: 1, dataJobDesc: 'Orders to the warehouse' },
    data: z.null(),
  },
  async ({ jobId, dataJobDesc }, { uid }, { database, jobs }) => {
    const job = await jobOf(database, uid, jobId);
    await database.run('UPDATE data_job SET description = $1, revision = revision + 1 WHERE id = $2', [
      dataJobDesc,
      job.id,
    ]);
    jobs.wake();
    return null;
  },
);
