import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { deleteAnyway } from '../../actions/delete-anyway.ts';
import { flagField } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const deleteJob = openCall(
  'datajob/delete',
  {
    summary:
      'Deletes a job that is neither running nor about to run, with everything that it keeps on both sides except the rows. If a side is gone for good, so that this fails, `leaveRest` deletes the job anyway: what it keeps there stays.',
    body: jobIdBody.extend({ leaveRest: flagField.default(false) }),
    example: exampleJobId,
    data: z.null(),
  },
  ({ jobId, leaveRest }, { uid }, services) =>
    leaveRest ? deleteAnyway(services, uid, jobId) : actOnJob(services, uid, jobId, 'delete'),
);
