import { jobPlanSchema } from '../../../../client/contract/jobs/new-job.ts';
import { planAnswer } from '../../answers.ts';
import { randomName } from '../../ids.ts';
import { askedJobSchema } from '../../new-job.ts';
import { buildSpec, resolveTables } from '../../spec.ts';
import { exampleNewJob } from '../datajob/create.ts';
import { innerCall } from '../define-job-call.ts';

export const planJob = innerCall(
  'job/plan',
  {
    summary: 'The statements that would create the structure at the target; nothing is run.',
    body: askedJobSchema,
    example: exampleNewJob,
    data: jobPlanSchema,
    large: true,
  },
  async (request, { uid }, services) => {
    const tables = await resolveTables(services, uid, request);
    const spec = await buildSpec(services, { uid, name: randomName('canal', 11), request, tables });
    const statements = await services.jobs.ask(uid, { kind: 'plan', spec }, planAnswer);
    return { statements: statements.map((one) => ({ ...one, note: one.note ?? null })) };
  },
);
