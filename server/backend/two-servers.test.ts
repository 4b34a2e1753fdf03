import { beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { importUsage } from '../console/billing/import-usage.ts';
import { writeApplyCode } from '../console/licensing/apply-code.ts';
import { queueMessage } from '../console/messages/queue-message.ts';
import { runDueTasks } from '../console/tasks/run-tasks.ts';
import { scheduleTask } from '../console/tasks/schedule-task.ts';
import { openTestConsole, type TestConsole } from '../testing/console.ts';
import { newcomer } from '../testing/newcomer.ts';
import { createDatabase } from '../testing/postgres.ts';

const secret = 'correct horse battery staple';
const mail = 'ada@site.example';
const byMail = { email: mail, verifyType: 'EMAIL_VERIFY_CODE' };
const count = z.object({ n: z.number() });

/** Two servers on one database, as behind a load balancer that alternates between them. */
let servers: readonly [TestConsole, TestConsole];
beforeEach(async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const env = { ALLOW_PLAIN_PASSWORD: 'on', SECRET_KEY: 'one secret for both of the two servers' };
  servers = [await openTestConsole(env, url), await openTestConsole(env, url)];
  return async () => {
    for (const server of servers) await server.close();
  };
});
const code = async () => (await servers[0].queued()).findLast((message) => message.code !== undefined)?.code;

test('accounts, codes, sessions and sign-outs are shared by both servers', async () => {
  const [one, other] = servers;
  await one.post(calls.sendCode, { ...byMail, verifyCodeType: 'REGISTER' });
  const form = { userName: 'Ada', email: mail, verifyCode: await code(), password: secret };
  expect((await other.post(calls.register, form)).body.success).toBe(true);
  const login = { account: mail, loginType: 'PASSWORD', password: secret };
  const { token } = (await one.post(calls.login, login)).body.data;
  expect((await other.post(calls.queryLoginUser, {}, { token })).body.data.email).toBe(mail);
  await other.post(calls.logout, {}, { token });
  expect((await one.post(calls.queryLoginUser, {}, { token })).status).toBe(401);
});

test('a password encrypted for one server is read by the other, and only once', async () => {
  const [one, other] = servers;
  const keys = await Promise.all(servers.map((server) => server.post(calls.getPublicKey)));
  expect(new Set(keys.map(({ body }) => body.data.kid)).size).toBe(1);
  const { key, nonce, kid } = keys[0]?.body.data ?? {};
  const spki = await crypto.subtle.importKey(
    'spki',
    Buffer.from(key, 'base64'),
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['encrypt'],
  );
  const plain = Buffer.from(JSON.stringify({ p: secret, n: nonce }));
  const password = Buffer.from(await crypto.subtle.encrypt('RSA-OAEP', spki, plain)).toString('base64');
  const login = { account: mail, loginType: 'PASSWORD', password, kid };
  expect((await other.post(calls.login, login)).body.code).toBe('BAD_CREDENTIALS');
  expect((await one.post(calls.login, login)).body.code).toBe('BAD_PASSWORD_ENCRYPTION');
});

test('of parallel sign-ins with one code on both servers one succeeds', async () => {
  await newcomer(servers[0], mail);
  await servers[0].post(calls.sendCode, { ...byMail, verifyCodeType: 'LOGIN' });
  const login = { account: mail, loginType: 'VERIFY', verifyCode: await code() };
  const tries = [0, 1, 0, 1].map((at) => servers[at % 2]?.post(calls.login, login));
  const taken = (await Promise.all(tries)).filter((answer) => answer?.body.success);
  expect(taken).toHaveLength(1);
});

test('limits count the requests to both servers', async () => {
  const [one, other] = servers;
  await one.post(calls.sendCode, { ...byMail, verifyCodeType: 'REGISTER' });
  expect((await other.post(calls.sendCode, { ...byMail, verifyCodeType: 'REGISTER' })).status).toBe(429);
  const form = { userName: 'Ada', email: mail, verifyCode: await code(), password: secret };
  await one.post(calls.register, form);
  const login = (server: TestConsole, password: string) =>
    server.post(calls.login, { account: mail, loginType: 'PASSWORD', password });
  for (const server of [one, other, one, other, one]) await login(server, 'a wrong one');
  expect((await login(other, secret)).body.code).toBe('BAD_CREDENTIALS');
});

test('parallel requests to both servers create one order', async () => {
  const { token } = await newcomer(servers[0], mail, 100);
  const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 0 });
  const wanted = { applyCode, productType: 'P', edition: 'ENTERPRISE', links: 1, period: { num: 1, unit: 'DAY' } };
  const { quoteId } = (await servers[0].post(calls.calculatePrice, wanted, { token })).body.data;
  const create = (at: number) =>
    servers[at % 2 === 0 ? 0 : 1].post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' }, { token });
  const made = await Promise.all(Array.from({ length: 50 }, (_, at) => create(at)));
  expect(new Set(made.map(({ body }) => body.data?.orderId)).size).toBe(1);
  expect((await servers[1].post(calls.queryLoginUser, {}, { token })).body.data.credits.amount).toBe(0);
});

test('each task runs on one of the two servers, and each day is billed once', async () => {
  const [{ services }] = servers;
  const message = { channel: 'mail', to: mail, subject: 'S', text: 'T' } as const;
  const about = { kind: 'invoice', uid: '7' } as const;
  for (let left = 20; left > 0; left -= 1) await queueMessage(services.database, services, message, about);
  const { uid } = await newcomer(servers[0], mail);
  const usage = {
    uid,
    day: '2026-11-20',
    dataJobId: '7',
    dataJobName: 'orders',
    item: 'FULL',
    rows: 1_000_000,
  } as const;
  await importUsage(services.database, { ...usage, id: 'a' });
  // Each key has one task, whichever server starts first.
  for (const server of servers) {
    const hourly = { kind: 'bills', key: 'hourly', payload: '', dueAt: services.now() } as const;
    await scheduleTask(server.services.database, hourly);
  }
  const done = await Promise.all(servers.map((server) => runDueTasks(server.services)));
  expect(done.reduce((sum, tasks) => sum + tasks, 0)).toBe(21);
  expect(servers.map(({ sent }) => sent.length).reduce((sum, sent) => sum + sent, 0)).toBe(20);
  expect(await services.database.one(count, 'SELECT count(*) AS n FROM bill')).toEqual({ n: 1 });
});
