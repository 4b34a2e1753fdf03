import { z } from 'zod';
import { practicePairSchema } from '../../../../client/contract/jobs/live-events.ts';
import { createPractice } from '../../practice/create.ts';
import { deletePractice } from '../../practice/delete.ts';
import { id } from '../../request-fields.ts';
import { innerCall } from '../define-job-call.ts';

export const practiceCalls = [
  innerCall(
    'practice/create',
    {
      summary: 'Creates two SQLite files and a job between them; rows are written to the source while it runs.',
      body: z.strictObject({}),
      data: practicePairSchema,
    },
    (_body, { uid }, services) => createPractice(services, uid),
  ),
  innerCall(
    'practice/delete',
    {
      summary: 'Stops a practice pair and deletes it without a trace.',
      body: z.strictObject({ jobId: id }),
      example: { jobId: 1 },
      data: z.null(),
    },
    ({ jobId }, { uid }, services) => deletePractice(services, uid, jobId),
  ),
];
