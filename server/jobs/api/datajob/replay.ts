import { z } from 'zod';
import { JobError } from '../../errors.ts';
import { act, jobOf } from '../../jobs.ts';
import { openCall } from '../define-job-call.ts';
import { flagField, id } from '../fields.ts';
import { exampleJobId } from './job-id.ts';

const body = z.object({
  jobId: id,
  autoStart: flagField.default(true),
  resetToCreated: flagField.default(false),
});

export const replayJob = openCall(
  'datajob/replay',
  { summary: 'Runs a job that rests again from the start: rows are copied anew.', body, example: exampleJobId },
  async ({ jobId, autoStart, resetToCreated }, { uid }, { database, jobs }) => {
    if (resetToCreated || !autoStart)
      throw new JobError(
        'NOT_OFFERED',
        'A replay starts at once: leave out resetToCreated, and autoStart or set it to true.',
      );
    const job = await jobOf(database, uid, jobId);
    await act(database, job, 'replay', { startsAnew: true, fault: null, failures: 0, nextTryAt: null });
    jobs.wake();
    return 'success';
  },
);
