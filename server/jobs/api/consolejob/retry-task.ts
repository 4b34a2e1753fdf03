import { z } from 'zod';
import { findConsoleJob } from '../../console-jobs.ts';
import { JobError } from '../../errors.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

export const retryTask = openCall(
  'consolejob/retrytask',
  {
    summary: 'Retries a failed step, then the steps after it.',
    body: z.object({ consoleJobId: id, consoleTaskId: id }),
    example: { consoleJobId: 1, consoleTaskId: 2 },
    data: z.null(),
  },
  async ({ consoleJobId, consoleTaskId }, { uid }, { database, jobs }) => {
    await findConsoleJob(database, uid, consoleJobId);
    await database.transaction(async (queries) => {
      const changed = await queries.run(
        `UPDATE console_task SET state = 'WAIT_START', message = ''
         WHERE id = $1 AND console_job_id = $2 AND state = 'FAILED'`,
        [consoleTaskId, consoleJobId],
      );
      if (changed === 0) throw new JobError('NO_CONSOLE_JOB', 'There is no failed step with that number.');
      await queries.run("UPDATE console_job SET state = 'WAIT_START' WHERE id = $1", [consoleJobId]);
    });
    jobs.wake();
    return null;
  },
);
