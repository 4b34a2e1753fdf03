import { jobOf } from '../../jobs.ts';
import { presentJobs } from '../../present-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJob = openCall(
  'datajob/queryjob',
  { summary: 'One job.', body: jobIdBody, example: exampleJobId },
  async ({ jobId }, { uid }, services) => {
    const [job] = await presentJobs(services, uid, [await jobOf(services.database, uid, jobId)]);
    return job;
  },
);
