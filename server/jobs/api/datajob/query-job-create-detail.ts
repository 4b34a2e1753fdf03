import { z } from 'zod';
import { jobOf } from '../../jobs.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJobCreateDetail = openCall(
  'datajob/queryjobcreatedetail',
  {
    summary: 'The fields that a job was created with, for creating another one like it.',
    body: jobIdBody,
    example: exampleJobId,
    data: z.record(z.string(), z.unknown()).describe('As they were given, unknown ones too.'),
  },
  async ({ jobId }, { uid }, { database }) => (await jobOf(database, uid, jobId)).request.given,
);
