import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const attachJob = openCall(
  'datajob/attachincretask',
  {
    summary: 'Attaches a detached job again; it continues from its mark.',
    body: jobIdBody,
    example: exampleJobId,
    data: z.null(),
  },
  ({ jobId }, { uid }, services) => actOnJob(services, uid, jobId, 'attach'),
);
