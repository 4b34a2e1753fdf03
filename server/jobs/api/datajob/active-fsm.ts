import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const activateJob = openCall(
  'datajob/activefsm',
  {
    summary: 'Starts a job that was created without autoStart.',
    body: jobIdBody,
    example: exampleJobId,
    data: z.null(),
  },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'activate'),
);
