import { openCall } from '../define-job-call.ts';
import { actOnJob } from './act-on-job.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const activateJob = openCall(
  'datajob/activefsm',
  { summary: 'Starts a job that was made without autoStart.', body: jobIdBody, example: exampleJobId },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'activate'),
);
