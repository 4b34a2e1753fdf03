import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const stopJob = openCall(
  'datajob/stop',
  { summary: 'Stops a job at a commit.', body: jobIdBody, example: exampleJobId, data: z.null() },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'stop'),
);
