import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { consoleJobSchema, type Job, jobSchema } from '../../../client/contract/jobs/jobs.ts';
import type { Account } from './account.ts';

/**
 * Queries a job, and retries what failed of its creation: a starved machine does not list a database's tables
 * within the 8.5 s that a query may take.
 */
export async function retryCreating(owner: Account, jobId: number): Promise<Job> {
  const job = await owner.ask(jobCalls.queryJob, jobSchema, { jobId });
  const { consoleJobId } = job;
  const { taskVOList } = await owner.ask(jobCalls.queryConsoleJob, consoleJobSchema, { consoleJobId });
  const failed = taskVOList.find(({ taskState }) => taskState === 'FAILED');
  if (failed) await owner.ask(jobCalls.retryTask, z.null(), { consoleJobId, consoleTaskId: failed.id });
  return job;
}
