import { z } from 'zod';
import { jobOf } from '../../jobs.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

const fields = z.record(z.string(), z.unknown());

export const queryJobCreateDetail = openCall(
  'datajob/queryjobcreatedetail',
  {
    summary: 'The fields that a job was created with, for making another one like it.',
    body: jobIdBody,
    example: exampleJobId,
  },
  async ({ jobId }, { uid }, { database }) => fields.parse(JSON.parse((await jobOf(database, uid, jobId)).request)),
);
