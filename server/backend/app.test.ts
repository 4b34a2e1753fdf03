import http from 'node:http';
import pg from 'pg';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { openApi } from '../../client/contract/jobs/calls.ts';
import { openTestConsole, type TestConsole } from '../testing/console.ts';
import { createDatabase, startPostgres } from '../testing/postgres.ts';

let backend: TestConsole;
beforeAll(async () => {
  backend = await openTestConsole();
});
afterAll(() => backend.close());

describe('how a call is answered', () => {
  test('a call without a live session gets 401 in the envelope', async () => {
    const { status, body } = await backend.post(calls.queryLoginUser);
    expect([status, body.code, body.success]).toEqual([401, 'SIGNED_OUT', false]);
    expect((await backend.post(calls.queryLoginUser, {}, { token: 'x'.repeat(43) })).status).toBe(401);
  });

  test('an unknown field is refused by name', async () => {
    const { status, body } = await backend.post(calls.logout, { a: 1 });
    expect([status, body.fields]).toEqual([400, { a: 'Unknown field.' }]);
  });

  test("a character that no store can hold is the client's error", async () => {
    const onPostgres = await openTestConsole({}, await createDatabase(inject('postgresUrl')));
    const login = { account: 'a\0@site.example', loginType: 'VERIFY', verifyCode: '123456' };
    const { status, body } = await onPostgres.post(calls.login, login);
    expect([status, body.code]).toEqual([400, 'BAD_JSON']);
    await onPostgres.close();
  });

  test('signing out with an invalid token succeeds', async () => {
    const { status, body } = await backend.post(calls.logout, undefined, { token: 'dead' });
    expect([status, body]).toEqual([200, { success: true, data: null }]);
  });

  test('unknown paths get 404 and other methods 405', async () => {
    expect((await backend.post('/nothing')).body.code).toBe('NOT_FOUND');
    const { status, headers, body } = await request(http.createServer(backend.listener)).get(calls.login);
    expect([status, headers.allow, body.code]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'account=ada', 415, 'NOT_JSON'],
    ['a truncated body', 'application/json', '{"account":', 400, 'BAD_JSON'],
    ['a body over 32 kB', 'application/json', JSON.stringify({ account: 'x'.repeat(33_000) }), 413, 'BODY_TOO_LARGE'],
    [
      'a body nested over ten levels',
      'application/json',
      `{"account":${'['.repeat(10)}${']'.repeat(10)}}`,
      400,
      'TOO_DEEP',
    ],
  ])('%s is refused', async (_what, type, text, status, code) => {
    const answer = await backend.post(calls.login).type(type).send(text);
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([status, code, false]);
  });

  test('an unreachable store gets 503 and Retry-After in the envelope', async () => {
    const server = await startPostgres();
    const backend = await openTestConsole({}, server.url);
    await server.stop();
    for (const path of [calls.queryLoginUser, calls.getPublicKey] as const) {
      const { status, headers, body } = await backend.post(path, undefined, { token: 'x'.repeat(43) });
      expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'STORE_SILENT']);
    }
    const byKey = await backend.post(`${openApi}/datajob/list`, {}, { token: 'a.b' });
    expect([byKey.status, byKey.headers['retry-after'], byKey.body]).toMatchObject([
      503,
      '2',
      { code: '0', msg: 'The server cannot reach its database. Please try again in a moment.' },
    ]);
    await backend.close();
  });

  test.each([
    ['accepts no connections', 'ALLOW_CONNECTIONS false'],
    ['is read-only', 'SET default_transaction_read_only = on'],
  ])('a PostgreSQL store that %s gets 503 and Retry-After', async (_what, change) => {
    const url = await createDatabase(inject('postgresUrl'));
    const backend = await openTestConsole({}, url);
    const admin = new pg.Client(inject('postgresUrl'));
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`ALTER DATABASE "${name}" ${change}`);
    // Waits until they have ended: one that has not still answers.
    await admin.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [name]);
    await admin.end();
    const form = { email: 'ada@site.example', verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' };
    const { status, headers, body } = await backend.post(calls.sendCode, form);
    expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'STORE_SILENT']);
    await backend.close();
  });

  test('a SQLite store without room gets 503', async () => {
    const backend = await openTestConsole();
    // SQLite keeps at least the pages it already has.
    await backend.services.database.script('PRAGMA max_page_count = 1');
    const statuses = new Set<number>();
    for (let at = 0; at < 40; at += 1) {
      const form = { email: `ada-${at}@site.example`, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' };
      statuses.add((await backend.post(calls.sendCode, form)).status);
    }
    expect([...statuses].sort()).toEqual([200, 503]);
    await backend.close();
  });

  test('the health check fails while the store is down', async () => {
    const server = await startPostgres();
    const backend = await openTestConsole({}, server.url);
    const health = () => request(http.createServer(backend.listener)).get('/healthz');
    expect((await health()).status).toBe(200);
    await server.stop();
    expect((await health()).status).toBe(503);
    await backend.close();
  });

  test("the site's request ID is kept, any other text is replaced", async () => {
    const idOf = async (id: string) =>
      (await backend.post(calls.queryLoginUser).set('X-Request-Id', id)).body.requestId;
    expect(await idOf('of-the-site_1')).toBe('of-the-site_1');
    for (const id of ['a b', 'x'.repeat(65)]) expect(await idOf(id)).toMatch(/^[\w-]{8,64}$/);
    expect(await idOf('x'.repeat(65))).not.toContain('xxx');
  });
});
