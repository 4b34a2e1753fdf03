import { z } from 'zod';
import { JobError } from '../../errors.ts';
import { jobOf } from '../../jobs.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({ jobId: id, dataJobType: z.string() });

export const queryJobPosition = openCall(
  'datajob/queryjobposition',
  {
    summary: 'Progress of a verification; not offered yet.',
    body,
    example: { jobId: 1, dataJobType: 'CHECK' },
    data: z.null(),
  },
  async ({ jobId }, { uid }, { database }) => {
    await jobOf(database, uid, jobId);
    throw new JobError('NOT_OFFERED', 'Verification is not part of this version yet, so there are no results.');
  },
);
