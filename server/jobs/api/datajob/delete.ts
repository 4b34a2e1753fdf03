import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const deleteJob = openCall(
  'datajob/delete',
  {
    summary:
      'Deletes a job that is neither running nor about to run, with everything that it keeps on both sides except the rows.',
    body: jobIdBody,
    example: exampleJobId,
  },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'delete'),
);
