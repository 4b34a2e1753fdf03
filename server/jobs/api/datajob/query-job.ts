import { jobSchema } from '../../../../client/contract/jobs/jobs.ts';
import { jobOf } from '../../jobs.ts';
import { presentJob } from '../../present-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJob = openCall(
  'datajob/queryjob',
  { summary: 'One job.', body: jobIdBody, example: exampleJobId, data: jobSchema },
  async ({ jobId }, { uid }, services) => presentJob(services, uid, await jobOf(services.database, uid, jobId)),
);
