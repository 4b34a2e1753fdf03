import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { dayMs } from '../../../client/contract/dates.ts';
import type { CreatedApiKey, NewApiKey } from '../../../client/contract/jobs/api-keys.ts';
import { jobCalls, openApi } from '../../../client/contract/jobs/calls.ts';
import { runDueTasks } from '../../console/tasks/run-tasks.ts';
import { scheduleTask } from '../../console/tasks/schedule-task.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { admit, withdrawAdmission } from '../access.ts';
import { sign, textToSign } from './signature.ts';

const useRow = z.object({ call: z.string(), status: z.number(), address: z.string() });

test('the documented example of the scheme has the documented signature', () => {
  const query = { accessKey: 'test-ak', method: 'HmacSHA1', nonce: 'nonce-123' };
  expect(textToSign(query)).toBe('AccessKeyId%3Dtest-ak%26SignatureMethod%3DHmacSHA1%26SignatureNonce%3Dnonce-123');
  expect(sign('test-sk', query)).toBe('gLnTWBx3BiESumLeWQc5lA71+GQ=');
});

describe.each(['sqlite', 'postgres'])('keys, store %s', (store) => {
  let jobs: TestJobs;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl });
    return () => jobs.close();
  });

  const makeKey = async (wanted: Partial<NewApiKey> = {}): Promise<CreatedApiKey> =>
    (await jobs.open(jobCalls.createApiKey, { name: 'a', ...wanted })).body.data;

  /** A signed call; the changes come after the signature was created. */
  function signed(
    { accessKey, secret }: CreatedApiKey,
    call: string,
    changes: Record<string, string> = {},
    method = 'HmacSHA1',
  ) {
    const nonce = changes.SignatureNonce ?? randomUUID();
    const parameters = {
      AccessKeyId: accessKey,
      SignatureMethod: method,
      SignatureNonce: nonce,
      Signature: sign(secret, { accessKey, method, nonce }),
      ...changes,
    };
    return jobs.backend
      .post(`${openApi}/${call}?${new URLSearchParams(parameters)}`, {})
      .set('Content-Type', 'application/json');
  }

  test('a signed call is answered in the envelope of the open API', async () => {
    const key = await makeKey();
    const { status, body } = await signed(key, 'datajob/list');
    expect([status, body]).toEqual([
      200,
      { requestId: expect.any(String), code: '1', msg: 'ok', data: [], success: true },
    ]);
    expect((await signed(key, 'datajob/list', {}, 'HMAC-SHA1')).body.code).toBe('1');
  });

  test('a signature whose plus signs are not URL-encoded is accepted', async () => {
    const key = await makeKey();
    for (let turn = 0; ; turn += 1) {
      const query = { accessKey: key.accessKey, method: 'HmacSHA1', nonce: `nonce-${turn}` };
      const signature = sign(key.secret, query);
      if (!signature.includes('+')) continue;
      const text = `AccessKeyId=${key.accessKey}&SignatureMethod=HmacSHA1&SignatureNonce=${query.nonce}&Signature=${signature.replaceAll('/', '%2F').replaceAll('=', '%3D')}`;
      const { body } = await jobs.backend.post(`${openApi}/datajob/list?${text}`, {});
      expect(body.code).toBe('1');
      return;
    }
  });

  test('each nonce is accepted once', async () => {
    const key = await makeKey();
    const nonce = { SignatureNonce: 'only-once' };
    expect((await signed(key, 'datajob/list', nonce)).status).toBe(200);
    const again = await signed(key, 'datajob/list', nonce);
    expect([again.status, again.body.code, again.body.success]).toEqual([497, '0', false]);
    // Nor after old rows were deleted.
    const { services } = jobs.backend;
    await scheduleTask(services.database, { kind: 'delete-old', key: 'x', payload: '', dueAt: 0 });
    await runDueTasks(services);
    expect((await signed(key, 'datajob/list', nonce)).status).toBe(497);
    expect((await signed(await makeKey(), 'datajob/list', nonce)).status).toBe(200);
  });

  test('wrong, unknown and missing credentials each have their own status', async () => {
    const key = await makeKey();
    expect((await signed(key, 'datajob/list', { Signature: 'A'.repeat(27) })).status).toBe(497);
    expect((await signed(key, 'datajob/list', { AccessKeyId: 'nobody' })).status).toBe(498);
    expect((await signed(key, 'datajob/list', { SignatureMethod: 'plain' })).status).toBe(497);
    expect((await jobs.backend.post(`${openApi}/datajob/list?AccessKeyId=a`, {})).status).toBe(499);
    // PostgreSQL cannot store this character as text.
    for (const part of ['AccessKeyId', 'SignatureNonce'])
      expect((await signed(key, 'datajob/list', { [part]: 'a\0' })).status).toBe(499);
    const missing = await signed(key, 'datajob/queryjob');
    expect([missing.status, missing.body.code, missing.body.msg]).toEqual([499, '0', 'Missing: jobId.']);
    expect((await jobs.backend.post(`${openApi}/datajob/list`, {})).status).toBe(401);
  });

  test('a key works as a Bearer token', async () => {
    const { accessKey, secret } = await makeKey();
    const call = (token: string) => jobs.open('datajob/list', {}, { token });
    expect((await call(`${accessKey}.${secret}`)).body).toMatchObject({ code: '1', data: [] });
    expect((await call(`${accessKey}.wrong`)).status).toBe(497);
    expect((await call(`nobody.${secret}`)).status).toBe(498);
  });

  test('an unknown call and a refused one are answered with HTTP status 200', async () => {
    const key = await makeKey();
    const unknown = await signed(key, 'datajob/paint');
    expect([unknown.status, unknown.body.code, unknown.body.msg]).toEqual([
      200,
      '0',
      'This version does not offer the call datajob/paint.',
    ]);
    const { body, status } = await jobs.backend
      .post(`${openApi}/datajob/queryjob`, { jobId: 99 })
      .set('Authorization', `Bearer ${key.accessKey}.${key.secret}`);
    expect([status, body.code, body.data]).toEqual([200, '0', null]);
  });

  test('a key is limited by expiry, addresses, groups and revocation', async () => {
    const { now } = jobs.backend.services;
    const ending = await makeKey({ expiresAt: now() + 1_000 });
    expect((await signed(ending, 'datajob/list')).status).toBe(200);
    jobs.backend.pass(1_000);
    expect((await signed(ending, 'datajob/list')).status).toBe(498);

    // Test calls come from 192.0.2.1.
    expect((await signed(await makeKey({ addresses: ['192.0.2.0/24'] }), 'datajob/list')).status).toBe(200);
    expect((await signed(await makeKey({ addresses: ['198.51.100.7'] }), 'datajob/list')).status).toBe(498);

    const grouped = await makeKey({ groups: ['worker'] });
    expect((await signed(grouped, 'datajob/list')).body).toMatchObject({ code: '0', success: false });

    // Such a key could call nothing.
    const { status } = await jobs.open(jobCalls.createApiKey, { name: 'of keys', groups: ['apikey'] });
    expect(status).toBe(400);

    const revoked = await makeKey();
    await jobs.data(jobCalls.revokeApiKey, { id: revoked.id });
    expect((await signed(revoked, 'datajob/list')).status).toBe(498);
    expect((await jobs.open(jobCalls.revokeApiKey, { id: revoked.id })).body.code).toBe('NO_KEY');
  });

  test('a revoked key is kept as long as the records of its use', async () => {
    const { services } = jobs.backend;
    const [revoked, kept] = [await makeKey(), await makeKey()];
    await signed(revoked, 'datajob/list');
    await jobs.data(jobCalls.revokeApiKey, { id: revoked.id });
    const keysAfter = async (days: number) => {
      jobs.backend.pass(days * dayMs);
      await scheduleTask(services.database, { kind: 'delete-old', key: 'x', payload: '', dueAt: 0 });
      await runDueTasks(services);
      return (await services.database.all(z.object({ id: z.string() }), 'SELECT id FROM api_key')).map(({ id }) => id);
    };
    expect(await keysAfter(89)).toContain(revoked.id);
    expect(await keysAfter(1)).toEqual([kept.id]);
  });

  test('each use is recorded, and lists, store and log contain no secret', async () => {
    const key = await makeKey({ name: 'deployment' });
    await signed(key, 'datajob/list');
    await signed(key, 'datajob/queryjob');
    const { database, now } = jobs.backend.services;
    expect(await database.all(useRow, 'SELECT call, status, address FROM api_key_use ORDER BY status')).toEqual([
      { call: 'datajob/list', status: 200, address: '192.0.2.1' },
      { call: 'datajob/queryjob', status: 499, address: '192.0.2.1' },
    ]);
    const list = await jobs.data(jobCalls.listApiKeys);
    expect(list).toMatchObject([{ name: 'deployment', accessKey: key.accessKey, lastUsedAt: now() }]);
    const stored = await database.all(z.looseObject({}), 'SELECT * FROM api_key');
    expect(JSON.stringify([list, stored, jobs.backend.logged])).not.toContain(key.secret);
  });

  test('a call whose use cannot be recorded is still answered, and the failure is logged', async () => {
    const key = await makeKey();
    await jobs.backend.services.database.script('DROP TABLE api_key_use');
    const { status, body } = await signed(key, 'datajob/list');
    expect([status, body]).toMatchObject([200, { code: '1', data: [], success: true }]);
    const warned = jobs.backend.logged.filter(({ msg }) => msg === 'the use of a key could not be recorded');
    expect(warned).toMatchObject([
      { level: 40, key: key.id, err: { message: expect.stringContaining('api_key_use') } },
    ]);
  });

  test('a key cannot create keys, and accounts cannot list or revoke the keys of others', async () => {
    const key = await makeKey();
    const byKey = await jobs.open(jobCalls.createApiKey, { name: 'b' }, { token: `${key.accessKey}.${key.secret}` });
    expect(byKey.body).toMatchObject({ code: '0', success: false });
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    await jobs.backend.services.database.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, 0)', [uid]);
    expect((await jobs.open(jobCalls.listApiKeys, {}, { token })).body.data).toEqual([]);
    expect((await jobs.open(jobCalls.revokeApiKey, { id: key.id }, { token })).body.code).toBe('NO_KEY');
  });

  test('a key is refused once its account may no longer have jobs', async () => {
    const { services } = jobs.backend;
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    await admit(services.database, uid, services.now());
    const key: CreatedApiKey = (await jobs.open(jobCalls.createApiKey, { name: 'b' }, { token })).body.data;
    expect((await signed(key, 'datajob/list')).body).toMatchObject({ code: '1', data: [] });
    await withdrawAdmission(services.database, uid);
    expect((await signed(key, 'datajob/list')).body).toMatchObject({ code: '0', data: null, success: false });
  });

  test('invalid and unknown fields of a new key are reported by name', async () => {
    const { status, body } = await jobs.open(jobCalls.createApiKey, {
      name: 'a',
      addresses: ['everywhere'],
      colour: 1,
    });
    expect([status, Object.keys(body.fields)]).toEqual([400, ['addresses.0', 'colour']]);
  });
});
