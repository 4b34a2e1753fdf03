import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const startJob = openCall(
  'datajob/start',
  {
    summary: 'Starts a job that has never run, is stopped or has failed.',
    body: jobIdBody,
    example: exampleJobId,
    data: z.null(),
  },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'start'),
);
