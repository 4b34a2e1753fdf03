import { z } from 'zod';
import { parkedRowsSchema } from '../../../../client/contract/jobs/jobs.ts';
import { engineErrorCodes, engineErrors } from '../../../engine/errors.ts';
import { parkedAnswer } from '../../answers.ts';
import { jobOf } from '../../jobs.ts';
import { specOf } from '../../spec.ts';
import { innerCall } from '../define-job-call.ts';
import { body, example, tableOf } from './table.ts';

/** Keys are only at the target, and only the owner of the job sees them. */
export const parkedRowsCall = innerCall(
  'job/table/parked',
  {
    summary: 'Rows that the target refused, with their keys and the reason; their values are not stored.',
    body: body.extend({
      after: z.int().min(0).default(0).meta({ description: 'The last number of the previous page.' }),
      limit: z.int().min(1).max(100).default(20),
    }),
    example: { ...example, after: 0, limit: 20 },
    data: parkedRowsSchema,
  },
  async ({ after, limit, ...named }, { uid }, services) => {
    const { id, parked } = await tableOf(services, uid, named);
    if (parked === 0) return { total: 0, rows: [], next: null };
    const job = await jobOf(services.database, uid, named.jobId);
    const { target } = await specOf(services, job);
    const question = { kind: 'parked', side: target, job: job.name, table: id, after, limit: limit + 1 } as const;
    const found = await services.jobs.ask(uid, question, parkedAnswer);
    const rows = found.slice(0, limit).map((row) => ({ ...row, sentence: sentenceOf(row.code) }));
    const next = found.length > limit ? (rows.at(-1)?.number ?? null) : null;
    return { total: parked, rows, next };
  },
);

function sentenceOf(code: string): string {
  const known = engineErrorCodes.find((one) => one === code);
  return known ? engineErrors[known].sentence : '';
}
