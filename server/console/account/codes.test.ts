import { beforeEach, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';

const minute = 60_000;
const phone = '+8613800138000';
const secret = 'correct horse battery staple';
const byPhone = { phoneAreaCode: '+86', phoneNumber: '138 0013 8000', verifyType: 'SMS_VERIFY_CODE' };

describe.each(['sqlite', 'postgres'] as const)('codes on %s', (kind) => {
  let backend: TestConsole;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({ ALLOW_PLAIN_PASSWORD: 'on' }, url);
    return () => backend.close();
  });
  const lastCode = async () => (await backend.queued()).at(-1)?.code ?? '';
  const lastSentOf = async (email: string) => (await backend.queued()).findLast(({ to }) => to === email)?.code;
  const without = ({ requestId: _, ...body }: Record<string, unknown>) => body;

  test('a phone user can sign up, sign in and reset the password, at either path of the call', async () => {
    const ask = async (path: typeof calls.sendCode | typeof calls.sendCodeShort, verifyCodeType: string) => {
      expect((await backend.post(path, { ...byPhone, verifyCodeType })).body.success).toBe(true);
      backend.pass(minute);
      return lastCode();
    };
    const form = { userName: 'Ada', phone, password: secret };
    const verifyCode = await ask(calls.sendCodeShort, 'REGISTER');
    expect((await backend.queued()).at(-1)).toMatchObject({ channel: 'sms', to: phone });
    expect((await backend.post(calls.register, { ...form, verifyCode })).body.success).toBe(true);
    const login = { account: '+86 138 0013-8000', loginType: 'VERIFY', verifyCode: await ask(calls.sendCode, 'LOGIN') };
    const { token } = (await backend.post(calls.login, login)).body.data;
    expect((await backend.post(calls.queryLoginUser, {}, { token })).body.data).toMatchObject({
      phone,
      email: null,
      emailVerified: false,
    });
    const reset = { phone, verifyCode: await ask(calls.sendCode, 'RESET_PASSWORD'), password: 'another long secret' };
    expect((await backend.post(calls.resetPasswordUnlogin, reset)).body.success).toBe(true);
    expect((await backend.post(calls.queryLoginUser, {}, { token })).status).toBe(401);
  });

  test('a phone number is the same with the zero that is dialled within its country, and in any usual spelling', async () => {
    const spelt = [
      { phoneAreaCode: '+49', phoneNumber: '0151 / 12345678' },
      { phoneAreaCode: '+86', phoneNumber: '+49 (0)151.12345678' },
      { phoneAreaCode: '+49', phoneNumber: '٠١٥١ ١٢٣٤٥٦٧٨' },
      { phoneAreaCode: '+49', phoneNumber: '+۴۹ ۱۵۱ ۱۲۳۴۵۶۷۸' },
    ];
    for (const [at, number] of spelt.entries()) {
      const asked = { ...number, verifyType: 'SMS_VERIFY_CODE', verifyCodeType: 'REGISTER' };
      expect((await backend.post(calls.sendCode, asked)).body.success).toBe(true);
      expect((await backend.queued()).at(-1)?.to).toBe('+4915112345678');
      const form = { userName: 'Ada', phone: number.phoneAreaCode + number.phoneNumber, password: secret };
      const verifyCode = (await lastCode())?.replace(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)));
      const made = await backend.post(calls.register, { ...form, verifyCode });
      expect(made.body.success, 'one account, whatever the spelling').toBe(at === 0);
      const login = { account: number.phoneAreaCode + number.phoneNumber, loginType: 'PASSWORD', password: secret };
      expect((await backend.post(calls.login, login)).body.success).toBe(true);
      backend.pass(minute);
    }
    // In Italy the zero is part of the number.
    const italian = { phoneAreaCode: '+39', phoneNumber: '06 12345678', verifyType: 'SMS_VERIFY_CODE' };
    await backend.post(calls.sendCode, { ...italian, verifyCodeType: 'REGISTER' });
    expect((await backend.queued()).at(-1)?.to).toBe('+390612345678');
  });

  test('a signed-in user gets codes only at the addresses of the account', async () => {
    const { token } = await newcomer(backend, 'ada@site.example');
    const ask = (path: typeof calls.sendCodeInLoginState | typeof calls.sendCodeInLoginStateA, verifyType: string) =>
      backend.post(path, { verifyType, verifyCodeType: 'SHOW_AUTH_CODE' }, { token });
    expect((await ask(calls.sendCodeInLoginStateA, 'SMS_VERIFY_CODE')).body.code).toBe('NO_PHONE');
    expect((await ask(calls.sendCodeInLoginStateA, 'EMAIL_VERIFY_CODE')).body.success).toBe(true);
    const again = await ask(calls.sendCodeInLoginState, 'EMAIL_VERIFY_CODE');
    expect([again.status, again.body.code, again.headers['retry-after']]).toEqual([429, 'CODE_WAIT', '60']);
    const { services } = backend;
    await services.database.run("UPDATE account SET email = NULL, email_key = NULL, phone = '+4915112345678'");
    expect((await ask(calls.sendCodeInLoginState, 'EMAIL_VERIFY_CODE')).body.code).toBe('NO_EMAIL');
    expect((await ask(calls.sendCodeInLoginState, 'SMS_VERIFY_CODE')).body.success).toBe(true);
  });

  test('requesting a code for a new address needs a session', async () => {
    const ask = { email: 'new@site.example', verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'UPDATE_EMAIL' };
    expect((await backend.post(calls.sendCode, ask)).status).toBe(401);
    expect(await backend.queued()).toEqual([]);
  });

  test("requesting a code for another account's address sends its owner an explanation", async () => {
    await newcomer(backend, 'eve@site.example');
    const { token } = await newcomer(backend, 'ada@site.example');
    const ask = { email: 'eve@site.example', verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'UPDATE_EMAIL' };
    expect((await backend.post(calls.sendCode, ask, { token })).body.success).toBe(true);
    const sent = (await backend.queued()).at(-1);
    expect(sent).toMatchObject({
      to: 'eve@site.example',
      subject: expect.stringMatching(/^You already have a .+ account$/),
    });
    expect(sent?.text).toContain('use this address for another account');
  });

  test.each([
    [{ ...byPhone, phoneNumber: '12' }, 'phoneNumber'],
    [{ verifyType: 'SMS_VERIFY_CODE' }, 'phoneNumber'],
    [{ verifyType: 'EMAIL_VERIFY_CODE' }, 'email'],
    [{ verifyType: 'EMAIL_VERIFY_CODE', email: 'ada' }, 'email'],
  ])('%j is refused because it names no recipient', async (about, field) => {
    const { status, body } = await backend.post(calls.sendCode, { ...about, verifyCodeType: 'LOGIN' });
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });

  test.each(['LOGIN', 'REGISTER', 'RESET_PASSWORD'])(
    'a request for a %s code gets the same answer for known and unknown addresses',
    async (purpose) => {
      await newcomer(backend, 'known@site.example');
      const ask = (email: string) =>
        backend.post(calls.sendCode, { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: purpose });
      const [known, unknown] = [await ask('known@site.example'), await ask('stranger@site.example')];
      expect([known.status, without(known.body)]).toEqual([unknown.status, without(unknown.body)]);
      const queued = await backend.queued();
      expect(queued.map(({ to }) => to).toSorted()).toEqual(['known@site.example', 'stranger@site.example']);
      // One of the two gets a code, the other an explanation.
      expect(queued.filter(({ code }) => code !== undefined)).toHaveLength(1);
    },
  );

  test("requesting a useless code leaves the address's other codes valid", async () => {
    await newcomer(backend, 'known@site.example');
    const ask = (verifyCodeType: string) =>
      backend.post(calls.sendCode, { email: 'known@site.example', verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType });
    await ask('LOGIN');
    const verifyCode = await lastCode();
    await ask('REGISTER');
    const login = { account: 'known@site.example', loginType: 'VERIFY', verifyCode };
    expect((await backend.post(calls.login, login)).body.success).toBe(true);
  });

  test('of two codes for one purpose only the newer is valid', async () => {
    await newcomer(backend, 'ada@site.example');
    const older = await codeBy(byMail('ada@site.example'), 'LOGIN');
    backend.pass(minute);
    const newer = await codeBy(byMail('ada@site.example'), 'LOGIN');
    const login = async (verifyCode: string) =>
      (await backend.post(calls.login, { account: 'ada@site.example', loginType: 'VERIFY', verifyCode })).body.success;
    // One time in a million they are the same.
    if (older !== newer) expect(await login(older)).toBe(false);
    expect(await login(newer)).toBe(true);
  });

  test('sign-up and reset give the same answer for known and unknown addresses', async () => {
    await newcomer(backend, 'known@site.example');
    const password = secret;
    const bodies = [];
    for (const email of ['known@site.example', 'stranger@site.example']) {
      const form = { email, verifyCode: '123456', password };
      bodies.push(
        without((await backend.post(calls.register, { ...form, userName: 'Eve' })).body),
        without((await backend.post(calls.resetPasswordUnlogin, form)).body),
      );
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  const codeBy = async (about: object, verifyCodeType: string, token?: string) => {
    // This makes it the newest of those waiting.
    backend.pass(1);
    await backend.post(calls.sendCode, { ...about, verifyCodeType }, token === undefined ? {} : { token });
    return lastCode();
  };
  const byMail = (email: string) => ({ email, verifyType: 'EMAIL_VERIFY_CODE' });
  const meOf = async (token: string) => (await backend.post(calls.queryLoginUser, {}, { token })).body.data;

  test.each([
    ['LOGIN', calls.login, (email: string) => ({ account: email, loginType: 'VERIFY' })],
    ['RESET_PASSWORD', calls.resetPasswordUnlogin, (email: string) => ({ email, password: secret })],
    ['REGISTER', calls.register, (email: string) => ({ email, userName: 'Ada', password: secret })],
  ])('a wrong code for %s runs the same SQL for known and unknown addresses', async (purpose, path, form) => {
    const { services } = backend;
    const { database } = services;
    await newcomer(backend, 'ada@site.example');
    const statements = { 'ada@site.example': [] as string[], 'bob@site.example': [] as string[] };
    for (const email of ['ada@site.example', 'bob@site.example'] as const) {
      await backend.post(calls.sendCode, { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: purpose });
      services.database = Object.assign(Object.create(database), {
        run(sql: string, values: (string | number | null)[]) {
          statements[email].push(sql);
          return database.run(sql, values);
        },
        one(row: z.ZodType, sql: string, values: (string | number | null)[]) {
          statements[email].push(sql);
          return database.one(row, sql, values);
        },
      });
      const wrong = (await lastSentOf(email)) === '000000' ? '000001' : '000000';
      await backend.post(path, { ...form(email), verifyCode: wrong });
      services.database = database;
    }
    expect(statements['bob@site.example']).toEqual(statements['ada@site.example']);
  });

  test('a sign-up code is useless once the address has an account', async () => {
    const email = 'ada@site.example';
    const verifyCode = await codeBy(byMail(email), 'REGISTER');
    await newcomer(backend, email);
    const form = { userName: 'Eve', email, verifyCode, password: secret };
    expect((await backend.post(calls.register, form)).body.code).toBe('BAD_CODE');
    const login = { account: email, loginType: 'PASSWORD', password: secret };
    expect((await backend.post(calls.login, login)).body.success).toBe(false);
  });

  test('a new address is refused with a wrong code, or once it has an account', async () => {
    const phoneForm = { userName: 'Ada', phone, password: secret };
    const verifyCode = await codeBy(byPhone, 'REGISTER');
    await backend.post(calls.register, { ...phoneForm, verifyCode });
    const login = { account: phone, loginType: 'PASSWORD', password: secret };
    const { token } = (await backend.post(calls.login, login)).body.data;
    const change = (email: string, code: string) =>
      backend.post(calls.updateUserEmail, { email, verifyCode: code, password: secret }, { token });
    const late = await codeBy(byMail('eve@site.example'), 'UPDATE_EMAIL', token);
    await newcomer(backend, 'eve@site.example');
    expect((await change('eve@site.example', late)).body.code).toBe('BAD_CODE');
    const right = await codeBy(byMail('ada@site.example'), 'UPDATE_EMAIL', token);
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    expect((await change('ada@site.example', wrong)).body.code).toBe('BAD_CODE');
    expect(await meOf(token)).toMatchObject({ email: null });
    const waiting = (await backend.queued()).length;
    expect((await change('ada@site.example', right)).body.success).toBe(true);
    expect(await meOf(token)).toMatchObject({ email: 'ada@site.example', emailVerified: true });
    // There is no older address to notify.
    expect(await backend.queued()).toHaveLength(waiting);
  });

  test('a phone number that has an account gets a message saying so instead of a sign-up code', async () => {
    const verifyCode = await codeBy(byPhone, 'REGISTER');
    await backend.post(calls.register, { userName: 'Ada', phone, password: secret, verifyCode });
    backend.pass(minute);
    expect(await codeBy(byPhone, 'REGISTER')).toBe('');
    expect((await backend.queued()).at(-1)).toMatchObject({
      channel: 'sms',
      to: phone,
      text: expect.stringContaining('which already has an account'),
    });
  });

  test('of parallel sign-ins with the right code only one succeeds', async () => {
    await newcomer(backend, 'ada@site.example');
    const verifyCode = await codeBy(byMail('ada@site.example'), 'LOGIN');
    const login = { account: 'ada@site.example', loginType: 'VERIFY', verifyCode };
    const answers = await Promise.all(Array.from({ length: 5 }, () => backend.post(calls.login, login)));
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
  });
});
