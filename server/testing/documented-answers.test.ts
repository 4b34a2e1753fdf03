import { expect, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { requireDocumented, requireDocumentedEvent } from './documented-answers.ts';

const pair = { jobId: 1, sourceId: 2, targetId: 3 };
const answered = (data: unknown) => requireDocumented(jobCalls.createPractice, 200, { success: true, data });

test('an answer with a stray, a missing or a wrong field is not the documented one', () => {
  answered(pair);
  for (const data of [
    { ...pair, more: 1 },
    { jobId: 1, sourceId: 2 },
    { ...pair, jobId: '1' },
    { ...pair, jobId: 0.5 },
  ])
    expect(() => answered(data)).toThrow('not as the OpenAPI document says');
});

test('a refusal is documented for every status', () => {
  const refusal = { success: false, code: 'NO_JOB', msg: 'There is no such job.', requestId: 'a' };
  for (const status of [200, 401, 499]) {
    requireDocumented(jobCalls.queryJob, status, refusal);
    expect(() => requireDocumented(jobCalls.queryJob, status, { ...refusal, msg: undefined })).toThrow('must have');
  }
});

test('a live event with a stray field, or of an unknown kind, is not documented', () => {
  requireDocumentedEvent('deleted', { dataJobId: 1 });
  expect(() => requireDocumentedEvent('deleted', { dataJobId: 1, more: 1 })).toThrow('not as the OpenAPI');
  expect(() => requireDocumentedEvent('gone', {})).toThrow('no event gone');
});
