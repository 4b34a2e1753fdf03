import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { beforeStatement } from '../../testing/before-statement.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { type IdentityProvider, type Person, startIdentityProvider } from '../../testing/identity-provider.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { driveSignOn, redirectUri, type SignOn } from '../../testing/sign-on.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { untilWaiting } from '../../testing/until-waiting.ts';
import { accountOf } from '../account/accounts.ts';
import { changeEmail } from '../account/change-email.ts';
import { findSession } from '../account/sessions.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

const minute = 60_000;
const ada: Person = { sub: 'person-1', name: 'Ada L.', email: 'ada@site.example', email_verified: true };
const count = z.object({ n: z.number() });

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(redirectUri);
});
afterAll(() => provider.close());

describe.each(['sqlite', 'postgres'] as const)('single sign-on on %s', (kind) => {
  let backend: TestConsole;
  let signOn: SignOn;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({ ...provider.settings, OIDC_NAME: 'Mill Ltd', ALLOW_PLAIN_PASSWORD: 'on' }, url);
    signOn = driveSignOn(backend, provider);
    return () => backend.close();
  });
  afterEach(() => {
    const log = JSON.stringify(backend.logged);
    for (const secret of [...signOn.secrets, 'ada@']) expect(log).not.toContain(secret);
    expect(backend.logged.filter(({ level }) => level === 50)).toEqual([]);
  });

  const answered: SignOn['answered'] = (...about) => signOn.answered(...about);
  const auth: SignOn['auth'] = (...about) => signOn.auth(...about);
  const signIn: SignOn['signIn'] = (person) => signOn.signIn(person);
  const start = async (target?: string, token?: string) => (await signOn.starts(target, token)).oidc ?? '';
  const me = async (token: string) => (await backend.post(calls.queryLoginUser, undefined, { token })).body.data;
  const subjects = async () => (await backend.queued()).map(({ subject }) => subject);
  const accounts = async () => (await backend.services.database.one(count, 'SELECT count(*) AS n FROM account'))?.n;

  async function codeFor(email: string, verifyCodeType: string, token?: string): Promise<string> {
    const ask = { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType };
    backend.pass(1);
    await backend.post(calls.sendCode, ask, token === undefined ? {} : { token });
    return (await backend.queued()).findLast(({ to, code }) => to === email && code)?.code ?? '';
  }
  const bindCode = (email: string) => codeFor(email, 'SSO_REGISTER_BIND');

  /** Sets a new password, which ends every session of the account. */
  async function resetPassword(email: string) {
    const proof = { email, verifyCode: await codeFor(email, 'RESET_PASSWORD') };
    const { body } = await backend.post(calls.resetPasswordUnlogin, { ...proof, password: 'a long new password' });
    expect(body).toEqual({ success: true, data: null });
  }

  test('each configured provider has a start address, which needs no account and stores nothing', async () => {
    const { origin, searchParams: query } = new URL(await start());
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const again = new URL(await start()).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) expect(again.get(name)).not.toBe(query.get(name));
    const stored = 'SELECT (SELECT count(*) FROM used_sso_state) + (SELECT count(*) FROM attempt) AS n';
    expect((await backend.services.database.one(count, stored))?.n).toBe(0);
  });

  test('the first sign-in creates an account, and the second opens it', async () => {
    const first = await signIn(ada);
    expect(first).toEqual({ success: true, data: { token: expect.any(String), expiresAt: expect.any(Number) } });
    expect(await me(first.data.token)).toMatchObject({
      username: 'Ada L.',
      email: ada.email,
      emailVerified: true,
      credits: { amount: 30_000 },
    });
    const source = await backend.services.database.one(z.object({ source: z.string() }), 'SELECT source FROM account');
    expect(source).toEqual({ source: 'https://search.example/' });
    expect((await backend.queued()).at(-1)?.text).toContain('with Mill Ltd');
    // The address may pass to someone else at the provider; the number decides.
    const second = await signIn({ ...ada, email: 'lovelace@site.example' });
    expect((await me(second.data.token)).email).toBe(ada.email);
    expect(await accounts()).toBe(1);
  });

  test('two tabs that sign up at the same time create one account', async () => {
    const both = [await answered(ada), await answered(ada)];
    const answers = await Promise.all(both.map((answer) => auth(answer)));
    expect(answers.map(({ body }) => body.success)).toEqual([true, true]);
    expect(await accounts()).toBe(1);
  });

  describe("a provider's answer", () => {
    test('is accepted once, even if it is sent in parallel', async () => {
      const answer = await answered(ada);
      const answers = await Promise.all(Array.from({ length: 8 }, () => auth(answer)));
      expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
      const replayed = await auth(answer);
      expect([replayed.status, replayed.body.code]).toEqual([200, 'SSO_FAILED']);
    });

    test('is accepted for ten minutes', async () => {
      const [inTime, late] = [await answered(ada), await answered(ada)];
      backend.pass(10 * minute - 1);
      expect((await auth(inTime)).body.success).toBe(true);
      backend.pass(1);
      expect((await auth(late)).body.code).toBe('SSO_FAILED');
      // What was deleted is not restored.
      await scheduleTask(backend.services.database, { kind: 'delete-old', key: 'x', payload: '', dueAt: 0 });
      await runDueTasks(backend.services);
      expect((await auth(inTime)).body.code).toBe('SSO_FAILED');
    });

    test('is refused with another state, a changed one or one from another installation', async () => {
      const answer = await answered(ada);
      const state = new URL(await start()).searchParams.get('state') ?? '';
      expect((await auth({ ...answer, state })).body.code).toBe('SSO_FAILED');
      const [content = '', mac = ''] = answer.state.split('.');
      const changed = Buffer.from(
        Buffer.from(content, 'base64url').toString().replace('"sign_in"', '"connect","uid":"1"'),
      ).toString('base64url');
      for (const forged of [`${changed}.${mac}`, content, `${content}.`, `${answer.state}.`, 'x', '.']) {
        expect((await auth({ ...answer, state: forged })).body.code).toBe('SSO_FAILED');
      }
      const elsewhere = await openTestConsole(provider.settings);
      expect((await elsewhere.post(calls.auth, answer)).body.code).toBe('SSO_FAILED');
      await elsewhere.close();
    });

    test('is accepted at most 20 times a minute from one IP address', async () => {
      for (let left = 20; left > 0; left -= 1) await auth({ state: 'x', code: 'y' });
      const { status, headers } = await auth(await answered(ada));
      expect([status, headers['retry-after']]).toEqual([429, '60']);
      backend.pass(minute);
      expect((await signIn(ada)).success).toBe(true);
    });
  });

  test('an answer sent to two servers that share a store is accepted by one of them', async () => {
    const answer = await answered(ada);
    const { services } = backend;
    const second = await openTestConsole(provider.settings, undefined, {
      database: services.database,
      secretKey: services.secretKey,
    });
    const answers = await Promise.all([auth(answer), second.post(calls.auth, answer)]);
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    await second.close();
  });

  describe('an address that has an account', () => {
    let owner: { uid: string; token: string };
    beforeEach(async () => {
      owner = await newcomer(backend, ada.email ?? '');
    });

    test('is linked only after a code sent there is entered', async () => {
      const answer = await answered(ada);
      const { status, body } = await auth(answer);
      expect([status, body]).toEqual([
        200,
        {
          success: false,
          code: 'PROFILE_NEEDED',
          msg: expect.any(String),
          requestId: body.requestId,
          data: { requestId: body.requestId, email: ada.email },
        },
      ]);
      const profile = { state: answer.state, requestId: body.requestId, email: ada.email };
      const code = await bindCode(ada.email ?? '');
      const wrong = code === '000000' ? '000001' : '000000';
      expect((await auth({ ...profile, verifyCode: wrong })).body.code).toBe('BAD_CODE');
      const linked = await auth({ ...profile, verifyCode: code });
      expect((await me(linked.body.data.token)).uid).toBe(owner.uid);
      expect(await subjects()).toContain('Millrace: sign-in with Mill Ltd was connected');
      expect((await auth({ ...profile, verifyCode: code })).body.code).toBe('SSO_FAILED');
      // From now on, no code is needed.
      expect((await me((await signIn(ada)).data.token)).uid).toBe(owner.uid);
    });

    test('is not opened by the pending sign-in of another address', async () => {
      const mine = await answered({ sub: 'person-9', email: 'eve@site.example', email_verified: false });
      const theirs = await answered(ada);
      const [first, second] = [(await auth(mine)).body, (await auth(theirs)).body];
      const verifyCode = await bindCode('eve@site.example');
      const proof = { email: 'eve@site.example', verifyCode };
      const mixed = await auth({ ...proof, state: mine.state, requestId: second.requestId });
      expect(mixed.body.code).toBe('SSO_FAILED');
      // The code opens only its own address.
      const stolen = { state: mine.state, requestId: first.requestId, email: ada.email, verifyCode };
      expect((await auth(stolen)).body.code).toBe('BAD_CODE');
    });

    test('must be confirmed within 15 minutes', async () => {
      const answer = await answered(ada);
      const { requestId } = (await auth(answer)).body;
      backend.pass(15 * minute);
      const verifyCode = await bindCode(ada.email ?? '');
      const late = await auth({ state: answer.state, requestId, email: ada.email, verifyCode });
      expect(late.body.code).toBe('SSO_FAILED');
    });

    test('can be connected by its signed-in owner', async () => {
      const connecting = await start('connect', owner.token);
      const connected = await auth(await answered({ ...ada, email: 'at-work@site.example' }, connecting), owner.token);
      expect((await me(connected.body.data.token)).uid).toBe(owner.uid);
      expect(await subjects()).toEqual(['Millrace: sign-in with Mill Ltd was connected']);
      expect((await me((await signIn(ada)).data.token)).uid).toBe(owner.uid);
      // A repeat changes nothing.
      const again = await auth(await answered(ada, await start('connect', owner.token)), owner.token);
      expect(again.body.success).toBe(true);
    });

    test('lists its connected provider, which no longer signs in once removed', async () => {
      const eve = await newcomer(backend, 'eve@site.example');
      await auth(await answered(ada, await start('connect', owner.token)), owner.token);
      const list = async (token: string) => (await backend.post(calls.listIdentities, {}, { token })).body.data;
      const [identity] = await list(owner.token);
      expect(identity).toMatchObject({ subject: ada.sub, connectedAt: backend.services.now() });
      expect(await list(eve.token)).toEqual([]);
      const { issuer, subject } = identity;
      const remove = (token: string) => backend.post(calls.removeIdentity, { issuer, subject }, { token });
      await remove(eve.token);
      expect(await list(owner.token)).toHaveLength(1);
      // A new password leaves it connected, and the mail says so.
      await resetPassword(ada.email ?? '');
      const mails = (await backend.queued()).map(({ text }) => text);
      expect(mails.filter((text) => text.includes('/console/usercenter?tab=providers'))).toHaveLength(1);
      const { token: other } = (await signIn(ada)).data;
      const { token } = (await signIn(ada)).data;
      await remove(token);
      expect((await backend.post(calls.listIdentities, {}, { token: other })).status).toBe(401);
      await remove(token);
      expect(await list(token)).toEqual([]);
      expect((await signIn(ada)).code).toBe('PROFILE_NEEDED');
      expect((await subjects()).filter((one) => one.endsWith('was removed'))).toHaveLength(1);
    });

    test('cannot be connected by another account or while signed out', async () => {
      const eve = await newcomer(backend, 'eve@site.example');
      const body = { source: '', target: 'connect' };
      expect((await backend.post(calls.ssoType, body)).status).toBe(401);
      const begun = async () => answered(ada, await start('connect', owner.token));
      expect((await auth(await begun())).status).toBe(401);
      expect((await auth(await begun(), eve.token)).body.code).toBe('SSO_FAILED');
      expect((await signIn(ada)).code).toBe('PROFILE_NEEDED');
    });

    test('is not connected if the session ends while the provider is asked', async () => {
      const answer = await answered(ada, await start('connect', owner.token));
      const { services } = backend;
      services.sso = services.sso.map((asked) => ({
        ...asked,
        async finish(...about) {
          const identity = await asked.finish(...about);
          await resetPassword(ada.email ?? '');
          return identity;
        },
      }));
      const late = await auth(answer, owner.token);
      expect([late.status, late.body.code]).toEqual([401, 'SIGNED_OUT']);
      expect(await subjects()).not.toContain('Millrace: sign-in with Mill Ltd was connected');
    });

    test.each(['connect', 'sign_in'])(
      'starts no session (%s) if the password is reset during the sign-in',
      async (target) => {
        if (target === 'sign_in') await auth(await answered(ada, await start('connect', owner.token)), owner.token);
        const answer = await answered(ada, await start(target, owner.token));
        const wasRun = beforeStatement(backend.services, 'UPDATE attempt SET count = count - 1', () =>
          resetPassword(ada.email ?? ''),
        );
        expect((await auth(answer, owner.token)).body.code).toBe('SSO_FAILED');
        wasRun();
        expect((await signIn(ada)).success).toBe(true);
      },
    );

    // SQLite runs one transaction at a time.
    test.runIf(kind === 'postgres')(
      'is not linked to an account that gives up the address at the same moment',
      async () => {
        const answer = await answered(ada);
        const { requestId } = (await auth(answer)).body;
        const profile = {
          state: answer.state,
          requestId,
          email: ada.email,
          verifyCode: await bindCode(ada.email ?? ''),
        };
        const { services } = backend;
        const { database } = services;
        let linking: Promise<{ body: { data: { token: string } } }> | undefined;
        // The change finishes while the sign-in waits for it.
        const transaction: typeof database.transaction = (work) =>
          database.transaction(async (queries) => {
            const changed = await work(queries);
            linking = auth(profile).then(({ body }) => ({ body }));
            await untilWaiting(database, 1);
            return changed;
          });
        const account = await accountOf(database, owner.uid);
        if (!account) throw new Error('The owner has no account.');
        const verifyCode = await codeFor('new@site.example', 'UPDATE_EMAIL', owner.token);
        const changing = { ...services, database: Object.assign(Object.create(database), { transaction }) };
        const session = await findSession(database, owner.token, services.now());
        if (!session) throw new Error('The owner is not signed in.');
        await changeEmail(changing, account, 'new@site.example', verifyCode, session);
        const token = (await linking)?.body.data.token ?? '';
        expect(await me(token)).toMatchObject({ email: ada.email });
        expect((await me(token)).uid).not.toBe(owner.uid);
      },
    );

    test('is not connected by an ordinary sign-in while its owner is signed in', async () => {
      const plain = await start('sign_in', owner.token);
      expect((await auth(await answered(ada, plain), owner.token)).body.code).toBe('PROFILE_NEEDED');
    });

    test('cannot be connected to an identity that belongs to another account', async () => {
      const eve = await newcomer(backend, 'eve@site.example');
      await auth(await answered(ada, await start('connect', owner.token)), owner.token);
      const taken = await auth(await answered(ada, await start('connect', eve.token)), eve.token);
      expect(taken.body.code).toBe('SSO_TAKEN');
      expect((await me((await signIn(ada)).data.token)).uid).toBe(owner.uid);
    });
  });

  test.each([
    ['that the provider did not verify', { sub: 'person-3', email: 'ada@site.example', email_verified: false }],
    ['that is not valid', { sub: 'person-4', email: 'no address', email_verified: true }],
    ['that is missing', { sub: 'person-5' }],
  ])('an address %s must be confirmed by a code before an account is created', async (_name, person) => {
    const answer = await answered(person);
    const { code, data, requestId } = (await auth(answer)).body;
    expect([code, data, await accounts()]).toEqual(['PROFILE_NEEDED', { requestId }, 0]);
    const profile = { state: answer.state, requestId, email: 'new@site.example', company: ' Mill Ltd ' };
    const nobody = await auth({ ...profile, email: undefined, verifyCode: '123456' });
    expect([nobody.status, Object.keys(nobody.body.fields)]).toEqual([400, ['email']]);
    const noCode = await auth(profile);
    expect([noCode.status, Object.keys(noCode.body.fields)]).toEqual([400, ['verifyCode']]);
    const signedUp = await auth({ ...profile, verifyCode: await bindCode('new@site.example') });
    expect(await me(signedUp.body.data.token)).toMatchObject({
      username: 'User',
      email: 'new@site.example',
      company: 'Mill Ltd',
    });
    expect((await signIn(person)).success).toBe(true);
  });
});
