import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { beforeStatement } from '../../testing/before-statement.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { storePasswordKey } from '../../testing/password-key.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { untilWaiting } from '../../testing/until-waiting.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

const minute = 60_000;
const hour = 60 * minute;
const secret = 'correct horse battery staple';
const mail = 'ada@site.example';

describe.each(['sqlite', 'postgres'] as const)('accounts on %s', (kind) => {
  let backend: TestConsole;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({}, url);
    await storePasswordKey(backend.services);
    return () => backend.close();
  });
  afterEach(() => {
    // The test console inspects what was sent; it never sees plain passwords.
    const log = JSON.stringify(backend.logged);
    for (const canary of [secret, 'another long secret']) expect(log).not.toContain(canary);
    expect(backend.logged.filter(({ level }) => level === 50)).toEqual([]);
  });

  /** Encrypts as the browser does. */
  async function sealed(password: string) {
    const { body } = await backend.post(calls.getPublicKey);
    const key = createPublicKey({ key: Buffer.from(body.data.key, 'base64'), format: 'der', type: 'spki' });
    const plain = Buffer.from(JSON.stringify({ p: password, n: body.data.nonce }));
    const bytes = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, plain);
    return { password: bytes.toString('base64'), kid: String(body.data.kid) };
  }

  async function codeFor(email: string, verifyCodeType: string, token?: string) {
    const options = token === undefined ? {} : { token };
    const answer = await backend.post(
      calls.sendCode,
      { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType },
      options,
    );
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { resendAfterMs: minute } }]);
    return (await backend.queued()).findLast(({ to }) => to === email)?.code ?? '';
  }

  async function register(email = mail, password = secret) {
    const verifyCode = await codeFor(email, 'REGISTER');
    const { body } = await backend.post(calls.register, {
      userName: 'Ada',
      email,
      verifyCode,
      ...(await sealed(password)),
    });
    return body;
  }

  const passwordLogin = async (password: string, account = mail, address?: string) =>
    backend.post(
      calls.login,
      { account, loginType: 'PASSWORD', ...(await sealed(password)) },
      address === undefined ? {} : { address },
    );

  async function signedIn(password = secret) {
    return String((await passwordLogin(password)).body.data.token);
  }

  test('a new user can sign up, sign in, read the account and sign out', async () => {
    expect(await register()).toEqual({ success: true, data: { uid: expect.any(String) } });
    const token = await signedIn();
    const me = await backend.post(calls.queryLoginUser, undefined, { token });
    expect(me.body.data).toMatchObject({
      username: 'Ada',
      email: mail,
      credits: { amount: 30_000, currency: 'USD' },
      emailVerified: true,
    });
    await backend.post(calls.logout, undefined, { token });
    expect((await backend.post(calls.queryLoginUser, undefined, { token })).status).toBe(401);
  });

  test('e-mail addresses are case-insensitive', async () => {
    await register('Ada@Site.example');
    expect((await passwordLogin(secret, mail)).body.success).toBe(true);
  });

  test.each(['r&d@site.example', 'a/b=c@site.example', 'ada@xn--mnchen-3ya.xn--p1ai'])(
    'the e-mail address %s can sign up and in',
    async (address) => {
      await register(address);
      expect((await passwordLogin(secret, address)).body.success).toBe(true);
    },
  );

  test('an e-mail address whose domain is sent as it was typed is the one that mail servers know', async () => {
    const address = 'ada@xn--mnchen-3ya.example';
    await register(address);
    expect((await passwordLogin(secret, 'ada@münchen.example')).body.success).toBe(true);
    backend.pass(minute);
    const asked = { email: 'ada@münchen.example', verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'LOGIN' };
    await backend.post(calls.sendCode, asked);
    expect((await backend.queued()).at(-1)).toMatchObject({ to: address, code: expect.any(String) });
  });

  test.each(['ada@site', '=?utf-8?q?x?=@site.example', 'ada@127.0.0.1', 'ada@münchen example', '@site.example'])(
    'the e-mail address %s is refused at its field',
    async (email) => {
      const { status, body } = await backend.post(calls.sendCode, {
        email,
        verifyType: 'EMAIL_VERIFY_CODE',
        verifyCodeType: 'REGISTER',
      });
      expect([status, body.fields]).toEqual([400, { email: 'Please enter a valid e-mail address.' }]);
    },
  );

  test('signing up with a known address answers as for a wrong code, and a mail tells the owner', async () => {
    await register();
    backend.pass(minute);
    await codeFor(mail, 'REGISTER');
    const sent = (await backend.queued()).at(-1);
    expect(sent?.code).toBeUndefined();
    expect(sent?.subject).toContain('already');
    const { body } = await backend.post(calls.register, {
      userName: 'Eve',
      email: mail,
      verifyCode: '123456',
      ...(await sealed(secret)),
    });
    expect([body.success, body.code]).toEqual([false, 'BAD_CODE']);
  });

  test('weak and overlong passwords are refused, naming the field', async () => {
    const verifyCode = await codeFor(mail, 'REGISTER');
    for (const weak of ['short', 'password1', 'x'.repeat(129)]) {
      const { status, body } = await backend.post(calls.register, {
        userName: 'Ada',
        email: mail,
        verifyCode,
        ...(await sealed(weak)),
      });
      expect([status, Object.keys(body.fields)]).toEqual([400, ['password']]);
    }
    // 56 characters are not too many, but their 224 bytes are.
    const emoji = await backend.post(calls.register, {
      userName: 'Ada',
      email: mail,
      verifyCode,
      ...(await sealed('😀🐴🔋📌'.repeat(14))),
    });
    expect(emoji.body.fields.password).toContain('at most 200 bytes');
  });

  test('an encrypted password is accepted once, and a plain one is refused', async () => {
    await register();
    const once = await sealed(secret);
    const login = { account: mail, loginType: 'PASSWORD', ...once };
    expect((await backend.post(calls.login, login)).body.success).toBe(true);
    expect((await backend.post(calls.login, login)).body.code).toBe('BAD_PASSWORD_ENCRYPTION');
    // Nor does it after old data was deleted.
    const { services } = backend;
    await scheduleTask(services.database, { kind: 'delete-old', key: 'x', payload: '', dueAt: 0 });
    await runDueTasks(services);
    expect((await backend.post(calls.login, login)).body.code).toBe('BAD_PASSWORD_ENCRYPTION');
    const plain = { account: mail, loginType: 'PASSWORD', password: secret };
    expect((await backend.post(calls.login, plain)).body.code).toBe('PLAIN_PASSWORD');
    const late = await sealed(secret);
    backend.pass(11 * minute);
    expect((await backend.post(calls.login, { ...login, ...late })).body.code).toBe('BAD_PASSWORD_ENCRYPTION');
  });

  test('an unknown account, a wrong password and a locked account get the same answer', async () => {
    await register();
    const unknown = await passwordLogin(secret, 'nobody@site.example');
    const wrong = await passwordLogin('another long secret');
    const without = ({ requestId: _, ...body }: Record<string, unknown>) => body;
    expect([wrong.status, without(wrong.body)]).toEqual([unknown.status, without(unknown.body)]);
    for (let left = 4; left > 0; left -= 1) await passwordLogin('another long secret');
    const told = backend.logged.filter(({ msg }) => msg === 'an account takes no password for a quarter of an hour');
    expect(told).toMatchObject([{ level: 40, uid: expect.any(String), wrong: 5 }]);
    const locked = await passwordLogin(secret);
    expect([locked.status, without(locked.body)]).toEqual([unknown.status, without(unknown.body)]);
    backend.pass(15 * minute);
    expect((await passwordLogin(secret)).body.success).toBe(true);
  });

  test('limits that were reached while the clock ran ahead do not apply once it is set back', async () => {
    await register();
    backend.pass(30 * 24 * 60 * minute);
    const code = { email: mail, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'LOGIN' };
    for (let left = 6; left > 0; left -= 1) {
      await backend.post(calls.sendCode, code);
      await passwordLogin('another long secret');
      backend.pass(minute);
    }
    expect((await backend.post(calls.sendCode, code)).body.code).toBe('CODE_WAIT');
    expect((await passwordLogin(secret)).body.code).toBe('BAD_CREDENTIALS');
    backend.pass(-30 * 24 * 60 * minute);
    expect((await backend.post(calls.sendCode, code)).status).toBe(200);
    expect((await passwordLogin(secret)).body.success).toBe(true);
  });

  test('a code still signs in while the password is locked', async () => {
    await register();
    for (let left = 5; left > 0; left -= 1) await passwordLogin('another long secret');
    backend.pass(minute);
    const verifyCode = await codeFor(mail, 'LOGIN');
    const byCode = { account: mail, loginType: 'VERIFY', verifyCode };
    expect((await backend.post(calls.login, byCode)).body.success).toBe(true);
    expect((await backend.post(calls.login, byCode)).body.code).toBe('BAD_CREDENTIALS');
  });

  test('codes expire after five minutes and are valid for one purpose only', async () => {
    await register();
    backend.pass(minute);
    const code = await codeFor(mail, 'RESET_PASSWORD');
    const login = { account: mail, loginType: 'VERIFY', verifyCode: code };
    expect((await backend.post(calls.login, login)).body.code).toBe('BAD_CREDENTIALS');
    backend.pass(5 * minute);
    const reset = { email: mail, verifyCode: code, ...(await sealed('another long secret')) };
    expect((await backend.post(calls.resetPasswordUnlogin, reset)).body.code).toBe('BAD_CODE');
  });

  test('a recipient gets at most one code a minute, five an hour and ten a day', async () => {
    const ask = () =>
      backend.post(calls.sendCode, { email: mail, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' });
    expect((await ask()).status).toBe(200);
    const again = await ask();
    expect([again.status, again.headers['retry-after']]).toEqual([429, '60']);
    let sent = 1;
    const refusals = new Set<string>([again.body.msg]);
    for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
      backend.pass(minute);
      if (minutes % 7 !== 0) continue;
      const { status, body } = await ask();
      if (status === 200) sent += 1;
      else refusals.add(body.msg);
    }
    expect(sent).toBe(10);
    expect([...refusals]).toEqual(
      expect.arrayContaining([
        'A code was sent a moment ago. Please wait before you ask for another one.',
        'Too many codes were requested. The next one can be sent in 24 minutes.',
        'Too many codes were requested. The next one can be sent in 10 hours.',
      ]),
    );
  });

  test('one IP address can request 60 codes an hour, whatever the recipients', async () => {
    const ask = (count: number, address: string) => {
      const body = {
        email: `nobody-${count}@site.example`,
        verifyType: 'EMAIL_VERIFY_CODE',
        verifyCodeType: 'REGISTER',
      };
      return backend.post(calls.sendCode, body, { address });
    };
    for (let count = 0; count < 60; count += 1) expect((await ask(count, '2001:db8::7')).status).toBe(200);
    const refused = await ask(60, '2001:db8::8');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect((await ask(60, '192.0.2.9')).status).toBe(200);
  });

  test('a password reset ends every session, a password change all but the current one', async () => {
    await register();
    const [first, second] = [await signedIn(), await signedIn()];
    const changed = await backend.post(
      calls.changePassword,
      {
        oldPassword: (await sealed(secret)).password,
        ...(await sealed('another long secret')),
      },
      { token: first },
    );
    expect(changed.body).toEqual({ success: true, data: null });
    expect((await backend.post(calls.queryLoginUser, undefined, { token: second })).status).toBe(401);
    backend.pass(minute);
    const verifyCode = await codeFor(mail, 'RESET_PASSWORD');
    await backend.post(calls.resetPasswordUnlogin, { email: mail, verifyCode, ...(await sealed(secret)) });
    expect((await backend.post(calls.queryLoginUser, undefined, { token: first })).status).toBe(401);
    expect((await passwordLogin(secret)).body.success).toBe(true);
  });

  test('a new password and a new address whose answers were lost can be sent again', async () => {
    await register();
    const [token, password] = [await signedIn(), 'another long secret'];
    const change = async (to: string) =>
      (
        await backend.post(
          calls.changePassword,
          { oldPassword: (await sealed(secret)).password, ...(await sealed(to)) },
          { token },
        )
      ).body;
    expect(await change(password)).toEqual({ success: true, data: null });
    expect(await change(password)).toEqual({ success: true, data: null });
    expect(await change(password), 'a right one is not counted').toEqual({ success: true, data: null });
    expect((await change('a third long secret')).code).toBe('BAD_CREDENTIALS');
    expect((await passwordLogin(password)).body.success).toBe(true);

    const email = 'new@site.example';
    const verifyCode = await codeFor(email, 'UPDATE_EMAIL', token);
    const move = async () =>
      (await backend.post(calls.updateUserEmail, { email, verifyCode, ...(await sealed(password)) }, { token })).body;
    expect(await move()).toEqual({ success: true, data: null });
    expect(await move()).toEqual({ success: true, data: null });
    const notices = (await backend.queued()).filter(({ subject }) => subject.includes('was changed'));
    expect(notices, 'one for each change').toHaveLength(2);
  });

  test.each([
    ['a password', 'UPDATE account SET wrong_passwords = 0'],
    ['a code', 'UPDATE attempt SET count = count - 1'],
  ])('a sign-in by %s fails if the password is reset meanwhile', async (by, statement) => {
    await register();
    backend.pass(1);
    const login = { account: mail, verifyType: 'EMAIL_VERIFY_CODE' };
    const proof =
      by === 'a code'
        ? { ...login, loginType: 'VERIFY', verifyCode: await codeFor(mail, 'LOGIN') }
        : { ...login, loginType: 'PASSWORD', ...(await sealed(secret)) };
    backend.pass(1);
    const reset = { email: mail, verifyCode: await codeFor(mail, 'RESET_PASSWORD') };
    // After the password or the code was accepted.
    const wasRun = beforeStatement(backend.services, statement, async () => {
      const changed = await backend.post(calls.resetPasswordUnlogin, {
        ...reset,
        ...(await sealed('another long secret')),
      });
      expect(changed.body).toEqual({ success: true, data: null });
    });
    const answer = await backend.post(calls.login, proof);
    wasRun();
    expect(answer.body).toMatchObject({ success: false, code: 'BAD_CREDENTIALS' });
    expect((await passwordLogin('another long secret')).body.success).toBe(true);
  });

  test.each([
    ['password', 'another long secret'],
    ['e-mail address', secret],
  ])('a change of the %s fails if its session ends meanwhile', async (what, rightAfter) => {
    await register();
    const token = await signedIn();
    const newMail = 'thief@site.example';
    const change = { email: newMail, verifyCode: await codeFor(newMail, 'UPDATE_EMAIL', token) };
    backend.pass(1);
    const reset = { email: mail, verifyCode: await codeFor(mail, 'RESET_PASSWORD') };
    // After the old password was accepted.
    const wasRun = beforeStatement(backend.services, 'UPDATE attempt SET count = count - 1', async () => {
      const sealedNew = await sealed(rightAfter);
      expect((await backend.post(calls.resetPasswordUnlogin, { ...reset, ...sealedNew })).body.success).toBe(true);
    });
    const old = await sealed(secret);
    const answer =
      what === 'password'
        ? await backend.post(
            calls.changePassword,
            { ...(await sealed('a password of a thief')), oldPassword: old.password },
            { token },
          )
        : await backend.post(calls.updateUserEmail, { ...change, ...old }, { token });
    wasRun();
    expect(answer.body).toMatchObject({ success: false, code: 'SIGNED_OUT' });
    expect((await passwordLogin(rightAfter)).body.success).toBe(true);
  });

  test('a new e-mail address needs a code sent there, the old one is notified, and other sessions end', async () => {
    await register();
    const [token, other] = [await signedIn(), await signedIn()];
    const verifyCode = await codeFor('new@site.example', 'UPDATE_EMAIL', token);
    const change = { email: 'new@site.example', verifyCode, ...(await sealed(secret)) };
    expect((await backend.post(calls.updateUserEmail, change, { token })).body.success).toBe(true);
    expect(await backend.queued()).toContainEqual(
      expect.objectContaining({ to: mail, subject: 'The e-mail address of your account was changed' }),
    );
    expect((await backend.post(calls.queryLoginUser, undefined, { token })).body.data.email).toBe('new@site.example');
    expect((await backend.post(calls.queryLoginUser, undefined, { token: other })).status).toBe(401);
    expect((await passwordLogin(secret)).body.success).toBe(false);
    expect((await passwordLogin(secret, 'new@site.example')).body.success).toBe(true);
  });

  test('a new e-mail address that has an account by now is refused like a wrong code', async () => {
    await register();
    const token = await signedIn();
    const email = 'new@site.example';
    const verifyCode = await codeFor(email, 'UPDATE_EMAIL', token);
    backend.pass(1);
    await register(email);
    const change = { email, verifyCode, ...(await sealed(secret)) };
    const refused = await backend.post(calls.updateUserEmail, change, { token });
    expect([refused.status, refused.body.code]).toEqual([200, 'BAD_CODE']);
    expect((await passwordLogin(secret)).body.success).toBe(true);
  });

  // SQLite runs one transaction at a time.
  test.runIf(kind === 'postgres')(
    'a new e-mail address that gets an account at the same moment is refused too',
    async () => {
      await register();
      const token = await signedIn();
      const email = 'new@site.example';
      const change = { email, verifyCode: await codeFor(email, 'UPDATE_EMAIL', token), ...(await sealed(secret)) };
      const { services } = backend;
      const { database } = services;
      backend.pass(1);
      const verifyCode = await codeFor(email, 'REGISTER');
      let changing: Promise<[number, unknown]> | undefined;
      // The sign-up finishes while the change waits for it.
      const transaction: typeof database.transaction = (work) => {
        services.database = database;
        return database.transaction(async (queries) => {
          const made = await work(queries);
          changing = backend
            .post(calls.updateUserEmail, change, { token })
            .then(({ status, body }) => [status, body.code]);
          await untilWaiting(database, 1);
          return made;
        });
      };
      services.database = Object.assign(Object.create(database), { transaction });
      const signUp = { userName: 'Eve', email, verifyCode, ...(await sealed(secret)) };
      expect((await backend.post(calls.register, signUp)).body.success).toBe(true);
      expect(await changing).toEqual([200, 'BAD_CODE']);
      expect((await passwordLogin(secret)).body.success).toBe(true);
    },
  );

  test('users can list and end their own sessions, but not those of others', async () => {
    await register();
    await register('eve@site.example');
    const [mine, other] = [await signedIn(), await signedIn()];
    const eve = String((await passwordLogin(secret, 'eve@site.example')).body.data.token);
    const list = await backend.post(calls.listSessions, undefined, { token: mine });
    expect(list.body.data).toHaveLength(2);
    const current = list.body.data.find((session: { current: boolean }) => session.current);
    await backend.post(calls.endSessions, { id: current.id }, { token: eve });
    expect((await backend.post(calls.queryLoginUser, undefined, { token: mine })).status).toBe(200);
    await backend.post(calls.endSessions, {}, { token: mine });
    expect((await backend.post(calls.queryLoginUser, undefined, { token: other })).status).toBe(401);
    expect((await backend.post(calls.queryLoginUser, undefined, { token: eve })).status).toBe(200);
  });

  test('a session ends after a day without use and after a week at the latest', async () => {
    await register();
    const token = await signedIn();
    const alive = async () => (await backend.post(calls.queryLoginUser, undefined, { token })).status;
    for (let day = 0; day < 6; day += 1) {
      backend.pass(23 * hour);
      expect(await alive()).toBe(200);
    }
    backend.pass(25 * hour);
    expect(await alive()).toBe(401);
    const second = await signedIn();
    for (let hours = 0; hours < 7 * 24; hours += 12) {
      backend.pass(12 * hour);
      if (hours < 6 * 24) await backend.post(calls.queryLoginUser, undefined, { token: second });
    }
    expect((await backend.post(calls.queryLoginUser, undefined, { token: second })).status).toBe(401);
  });

  test('a profile update changes only the fields that are sent', async () => {
    await register();
    const token = await signedIn();
    await backend.post(calls.updateProfile, { company: ' Mill Ltd ', country: 'DE' }, { token });
    const me = await backend.post(calls.queryLoginUser, undefined, { token });
    expect(me.body.data).toMatchObject({ username: 'Ada', company: 'Mill Ltd', country: 'DE' });
    const wrong = await backend.post(calls.updateProfile, { country: 'XX' }, { token });
    expect(Object.keys(wrong.body.fields)).toEqual(['country']);
  });

  test('countries have names and calling codes', async () => {
    const { body } = await backend.post(calls.listCountry);
    expect(body.data).toContainEqual({ code: 'CN', name: 'China', phoneCode: '+86' });
  });
});
