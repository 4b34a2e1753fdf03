import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const detachJob = openCall(
  'datajob/detachincretask',
  {
    summary: 'Detaches a stopped job; its source keeps the log within the limits of the server.',
    body: jobIdBody,
    example: exampleJobId,
    data: z.null(),
  },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'detach'),
);
