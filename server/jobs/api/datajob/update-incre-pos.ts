import { z } from 'zod';
import { JobError } from '../../errors.ts';
import { jobOf } from '../../jobs.ts';
import { jobIdOfTask } from '../../present-job.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({ taskId: id, posType: z.string() });

export const updateIncrePos = openCall(
  'datajob/updateincrepos',
  {
    summary: 'Sets the position of a job; always refused.',
    body,
    example: { taskId: 10, posType: 'PG_LSN_POS' },
    data: z.null(),
  },
  async ({ taskId }, { uid }, { database }) => {
    await jobOf(database, uid, jobIdOfTask(taskId));
    throw new JobError(
      'NOT_OFFERED',
      "A job's position is what its target holds and cannot be set by hand: replay the job to copy again from the start.",
    );
  },
);
