import { z } from 'zod';
import { actOnJob } from '../../actions/act-on-job.ts';
import { JobError } from '../../errors.ts';
import { flagField, id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId } from './job-id.ts';

const body = z.object({
  jobId: id,
  autoStart: flagField.default(true),
  resetToCreated: flagField.default(false),
});

export const replayJob = openCall(
  'datajob/replay',
  {
    summary:
      'Runs a stopped, failed or complete job again from the start: rows are copied again, and those that the source lacks are deleted. Without autoStart it waits for a start.',
    body,
    example: exampleJobId,
    data: z.literal('success'),
  },
  async ({ jobId, autoStart, resetToCreated }, { uid }, services) => {
    if (resetToCreated)
      throw new JobError(
        'NOT_OFFERED',
        'Only a child job can be put back to CREATED, and this version has none: leave out resetToCreated.',
      );
    const anew = { startsAnew: true, fault: null };
    await actOnJob(services, uid, jobId, 'replay', anew, autoStart ? 'replay' : 'put back');
    return 'success' as const;
  },
);
