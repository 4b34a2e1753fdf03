import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const restartJob = openCall(
  'datajob/restart',
  { summary: 'Stops a job and starts it again.', body: jobIdBody, example: exampleJobId, data: z.null() },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'restart'),
);
