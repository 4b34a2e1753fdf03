import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { storeAccount } from '../../testing/store-account.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { createCode } from './codes.ts';
import { hashPassword } from './passwords.ts';
import { mailTarget } from './targets.ts';

/** The hashes against which passwords were compared. */
const compared = vi.hoisted((): string[] => []);
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  const verify: typeof argon2.verify = (hash, password) => {
    compared.push(String(hash));
    return argon2.verify(hash, password);
  };
  return { ...argon2, verify };
});

const hour = 3_600_000;
const mail = 'ada@site.example';
const secret = 'correct horse battery staple';
const triesRow = z.object({ tries: z.number() });

describe.each(['sqlite', 'postgres'] as const)('guessing passwords and codes on %s', (kind) => {
  let backend: TestConsole;
  let stored: string;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({ ALLOW_PLAIN_PASSWORD: 'on' }, url);
    compared.length = 0;
    stored = await hashPassword(secret);
    const { database, now } = backend.services;
    await storeAccount(database, mail, { passwordHash: stored, now: now() });
    return () => backend.close();
  });

  const login = (password: string, address: string, account = mail) =>
    backend.post(calls.login, { account, loginType: 'PASSWORD', password }, { address });
  const comparedWithAda = () => compared.filter((hash) => hash === stored).length;

  test('passwords are hashed with the cost that OWASP recommends', () => {
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('of 200 parallel wrong passwords from different IP addresses at most five are compared', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => login(`wrong password ${at}`, `198.51.${at % 4}.${at}`)),
    );
    // A caller that finds the hash queue full is told so; no one is let in.
    const others = answers.filter(({ body }) => body.code !== 'BAD_CREDENTIALS' && body.code !== 'OVERLOADED');
    expect(others).toEqual([]);
    expect(comparedWithAda()).toBeGreaterThan(0);
    expect(comparedWithAda()).toBeLessThanOrEqual(5);
    expect((await login(secret, '203.0.113.1')).body.code).toBe('BAD_CREDENTIALS');
    expect(comparedWithAda()).toBeLessThanOrEqual(5);
  });

  test('at most 20 passwords a minute are compared per IP address, across all accounts', async () => {
    for (let count = 0; count < 20; count += 1) await login(secret, '203.0.113.2', `nobody-${count}@site.example`);
    expect((await login(secret, '203.0.113.2')).body.code).toBe('BAD_CREDENTIALS');
    expect(comparedWithAda()).toBe(0);
    expect((await login(secret, '203.0.113.3')).body.success).toBe(true);
    backend.pass(60_000);
    expect((await login(secret, '203.0.113.2')).body.success).toBe(true);
  });

  test("signing in to one's own account between guesses allows no further guesses", async () => {
    const guess = (count: number) => login(secret, '203.0.113.2', `nobody-${count}@site.example`);
    for (let count = 0; count < 19; count += 1) await guess(count);
    expect((await login(secret, '203.0.113.2')).body.success).toBe(true);
    await guess(19);
    expect((await login(secret, '203.0.113.2')).body.code).toBe('BAD_CREDENTIALS');
  });

  test('guesses made before a code is sent do not use up its tries', async () => {
    const { services } = backend;
    const guess = (verifyCode: string, address: string) =>
      backend.post(calls.login, { account: mail, loginType: 'VERIFY', verifyCode }, { address });
    for (let count = 0; count < 30; count += 1) await guess('000000', '203.0.113.9');
    const code = await createCode(services.database, mailTarget(mail), 'LOGIN', { ...services, now: services.now() });
    expect((await guess(code, '203.0.113.10')).body.success).toBe(true);
  });

  test('IP addresses of one IPv6 network count as one', async () => {
    for (let count = 1; count <= 20; count += 1)
      await login(secret, `2001:db8::${count}`, `nobody-${count}@site.example`);
    expect((await login(secret, '2001:db8::ffff')).body.code).toBe('BAD_CREDENTIALS');
    expect((await login(secret, '2001:db8:0:1::1')).body.success).toBe(true);
  });

  test('of 200 parallel wrong codes five are compared, and the right one is refused afterwards', async () => {
    const { services } = backend;
    const code = await createCode(services.database, mailTarget(mail), 'LOGIN', { ...services, now: services.now() });
    const guess = (verifyCode: string) => backend.post(calls.login, { account: mail, loginType: 'VERIFY', verifyCode });
    const wrong = code === '000000' ? '000001' : '000000';
    const answers = await Promise.all(Array.from({ length: 200 }, () => guess(wrong)));
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['BAD_CREDENTIALS']));
    expect(await services.database.all(triesRow, 'SELECT tries FROM verification_code')).toEqual([{ tries: 5 }]);
    expect((await guess(code)).body.code).toBe('BAD_CREDENTIALS');
  });

  test('at most 20 wrong codes a day are compared per recipient, across all its codes', async () => {
    const { services } = backend;
    let tried = 0;
    for (let round = 0; round < 6; round += 1) {
      const code = await createCode(services.database, mailTarget(mail), 'LOGIN', { ...services, now: services.now() });
      const verifyCode = code === '000000' ? '000001' : '000000';
      for (let count = 0; count < 4; count += 1)
        await backend.post(calls.login, { account: mail, loginType: 'VERIFY', verifyCode });
      backend.pass(hour);
    }
    for (const { tries } of await services.database.all(triesRow, 'SELECT tries FROM verification_code'))
      tried += tries;
    expect(tried).toBe(20);
  });

  test('a stolen session allows five comparisons with the password in 15 minutes', async () => {
    const token = String((await login(secret, '203.0.113.4')).body.data.token);
    const change = async (oldPassword: string) =>
      (await backend.post(calls.changePassword, { oldPassword, password: 'another long secret' }, { token })).body;
    compared.length = 0;
    for (let count = 0; count < 7; count += 1) expect((await change('wrong')).code).toBe('BAD_CREDENTIALS');
    // Four of the old one, and one of the new one, which may be set already.
    expect(comparedWithAda()).toBe(5);
    expect((await change(secret)).code).toBe('BAD_CREDENTIALS');
    const verifyCode = '123456';
    const move = { email: 'new@site.example', verifyCode, password: secret };
    expect((await backend.post(calls.updateUserEmail, move, { token })).body.code).toBe('BAD_CREDENTIALS');
    backend.pass(15 * 60_000);
    expect((await change(secret)).success).toBe(true);
  });
});
