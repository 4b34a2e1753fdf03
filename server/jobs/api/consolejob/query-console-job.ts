import { z } from 'zod';
import { type ConsoleJob, consoleJobSchema } from '../../../../client/contract/jobs/jobs.ts';
import { accountOf } from '../../../console/account/accounts.ts';
import { findConsoleJob, findConsoleTasks, makingSteps } from '../../console-jobs.ts';
import { jobOf } from '../../jobs.ts';
import { openDate } from '../../open-date.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

export const queryConsoleJob = openCall(
  'consolejob/queryconsolejob',
  {
    summary: 'The steps in which a job is created.',
    body: z.object({ consoleJobId: id }),
    example: { consoleJobId: 1 },
    data: consoleJobSchema,
  },
  async ({ consoleJobId }, { uid }, { database }) => {
    const consoleJob = await findConsoleJob(database, uid, consoleJobId);
    const job = await jobOf(database, uid, consoleJob.job_id);
    const account = await accountOf(database, uid);
    const tasks = await findConsoleTasks(database, consoleJobId);
    return {
      id: consoleJob.id,
      jobToken: job.name,
      label: 'DATA_JOB_CREATE',
      dataJobName: job.name,
      dataJobDesc: job.description,
      taskState: consoleJob.state,
      launcher: account?.username ?? '',
      resourceType: 'DATA_JOB',
      resourceId: job.id,
      gmtCreated: openDate(consoleJob.created_at),
      taskVOList: tasks.map(({ id: taskId, state, step, message }) => ({
        id: taskId,
        jobId: consoleJob.id,
        taskState: state,
        handlerBeanName: '',
        handlerClassName: '',
        host: '',
        executeOrder: step,
        message,
        cancelable: false,
        stepName: makingSteps[step - 1] ?? '',
      })),
    } satisfies ConsoleJob;
  },
);
