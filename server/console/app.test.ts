import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../testing/console.ts';
import { createDatabase } from '../testing/postgres.ts';

let backend: TestConsole;
beforeAll(async () => {
  backend = await openTestConsole();
});
afterAll(() => backend.close());

describe('the way of a call', () => {
  test('without a live session, 401 in the envelope', async () => {
    const { status, body } = await backend.post(calls.queryLoginUser);
    expect([status, body.code, body.success]).toEqual([401, 'SIGNED_OUT', false]);
    expect((await backend.post(calls.queryLoginUser, {}, { token: 'x'.repeat(43) })).status).toBe(401);
  });

  test('a field that is not listed is refused by name', async () => {
    const { status, body } = await backend.post(calls.logout, { a: 1 });
    expect([status, body.fields]).toEqual([400, { a: 'Unknown field.' }]);
  });

  test("a character that no store can keep is the sender's mistake", async () => {
    const onPostgres = await openTestConsole({}, await createDatabase(inject('postgresUrl')));
    const login = { account: 'a\0@site.example', loginType: 'VERIFY', verifyCode: '123456' };
    const { status, body } = await onPostgres.post(calls.login, login);
    expect([status, body.code]).toEqual([400, 'BAD_JSON']);
    await onPostgres.close();
  });

  test('a dead token signs out with success', async () => {
    const { status, body } = await backend.post(calls.logout, undefined, { token: 'dead' });
    expect([status, body]).toEqual([200, { success: true, data: null }]);
  });

  test('unknown addresses are 404, other methods 405', async () => {
    expect((await backend.post('/nothing')).status).toBe(404);
  });
});
