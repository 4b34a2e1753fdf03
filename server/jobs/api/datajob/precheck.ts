import { z } from 'zod';
import { type Finding, findingSchema } from '../../../../client/contract/jobs/new-job.ts';
import { findingsAnswer } from '../../answers.ts';
import { randomName } from '../../ids.ts';
import { askedJobSchema, type NewJob } from '../../new-job.ts';
import { presentFindings } from '../../present-findings.ts';
import type { JobServices } from '../../services.ts';
import { buildSpec, resolveTables } from '../../spec.ts';
import { openCall } from '../define-job-call.ts';
import { exampleNewJob } from './create.ts';

/** What stands in the way of a job that is not created yet. */
async function check(services: JobServices, uid: string, request: NewJob): Promise<Finding[]> {
  const tables = await resolveTables(services, uid, request);
  const spec = await buildSpec(services, { uid, name: randomName('canal', 11), request, tables });
  const findings = await services.jobs.ask(uid, { kind: 'check', spec }, findingsAnswer);
  return presentFindings(services, findings);
}

const definition = { body: askedJobSchema, example: exampleNewJob, data: z.array(findingSchema), large: true };

/** Both calls check everything: no one gets only half of what stands in the way. */
export const precheckCalls = [
  openCall(
    'datajob/precheckbasic',
    { ...definition, summary: 'What stands in the way of a job, before it is created.' },
    (request, { uid }, services) => check(services, uid, request),
  ),
  openCall(
    'datajob/precheckdetail',
    { ...definition, summary: 'The same as precheckbasic.' },
    (request, { uid }, services) => check(services, uid, request),
  ),
];
