import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { CreatedApiKey } from '../../../client/contract/jobs/api-keys.ts';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { sign } from '../keys/signature.ts';
import { openApiText } from './openapi-document.ts';

const file = readFileSync(join(import.meta.dirname, '../../../content/openapi.yaml'), 'utf8');
const operation = z.looseObject({
  operationId: z.string(),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.looseObject({ example: z.unknown() }) }) })
    .optional(),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.object({ post: operation.optional(), get: operation.optional() })) })
  .parse(parse(file));
const examples = Object.entries(paths).flatMap(([path, { post }]) =>
  post
    ? [
        {
          path,
          body: z.looseObject({}).or(z.array(z.unknown())).parse(post.requestBody?.content['application/json'].example),
        },
      ]
    : [],
);

let jobs: TestJobs;
let key: CreatedApiKey;
beforeAll(async () => {
  jobs = await openTestJobs();
  key = (await jobs.open(jobCalls.createApiKey, { name: 'examples' })).body.data;
});
afterAll(() => jobs.close());

test('the OpenAPI file matches the table of calls', () => {
  expect(file, 'run `npm run openapi`').toBe(openApiText());
});

test('operation names are unique', () => {
  const names = Object.values(paths).flatMap(({ post, get }) => [post?.operationId, get?.operationId].filter(Boolean));
  expect(new Set(names).size).toBe(names.length);
});

test.each(examples)('the example of $path is a valid request when signed and sent', async ({ path, body }) => {
  const query = { accessKey: key.accessKey, method: 'HmacSHA1', nonce: randomUUID() };
  const search = new URLSearchParams({
    AccessKeyId: query.accessKey,
    SignatureMethod: query.method,
    SignatureNonce: query.nonce,
    Signature: sign(key.secret, query),
  });
  const { status, body: answer } = await jobs.backend.post(`${path}?${search}`, body);
  // What it names may not exist, but no field is missing or wrong.
  expect([status, typeof answer.code]).toEqual([200, 'string']);
  expect(answer.msg).not.toMatch(/Some fields are not valid|made a mistake/);
});
