import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { type Github, type GithubPerson, startGithub } from '../../testing/github.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';

const grace: GithubPerson = {
  user: { id: 4711, login: 'grace', name: 'Grace H.' },
  emails: [
    { email: 'old@site.example', primary: false, verified: true },
    { email: 'grace@site.example', primary: true, verified: true },
  ],
};

let github: Github;
beforeAll(async () => {
  github = await startGithub('http://localhost:3000/loading');
});
afterAll(() => github.close());

describe.each(['sqlite', 'postgres'] as const)('sign-in with GitHub on %s', (kind) => {
  let backend: TestConsole;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole(github.settings, url);
    return () => backend.close();
  });
  afterEach(() => {
    expect(github.faults.splice(0)).toEqual([]);
    expect(JSON.stringify(backend.logged)).not.toMatch(/gho_|site\.example/);
  });

  async function answered(person: GithubPerson) {
    const { body } = await backend.post(calls.ssoType, { source: '', target: '' });
    expect(Object.keys(body.data)).toEqual(['github']);
    const query = await github.authorize(body.data.github, person);
    return { state: query.get('state') ?? '', code: query.get('code') ?? '' };
  }
  const auth = async (answer: object) => (await backend.post(calls.auth, answer)).body;
  const me = async (token: string) => (await backend.post(calls.queryLoginUser, undefined, { token })).body.data;

  test('creates an account with the primary verified address, and knows it by the GitHub user ID from then on', async () => {
    const { data } = await auth(await answered(grace));
    const first = await me(data.token);
    expect(first).toMatchObject({ username: 'Grace H.', email: 'grace@site.example', emailVerified: true });
    const renamed = { user: { ...grace.user, login: 'hopper', name: null }, emails: [] };
    expect((await me((await auth(await answered(renamed))).data.token)).uid).toBe(first.uid);
    // Another user has taken the login.
    const successor = { user: { ...grace.user, id: 4712 }, emails: grace.emails };
    expect((await auth(await answered(successor))).code).toBe('PROFILE_NEEDED');
  });

  test('does not use an unverified address', async () => {
    const [, primary] = grace.emails;
    const emails = [{ email: 'old@site.example', primary: false, verified: true }];
    if (primary) emails.push({ ...primary, verified: false });
    const answer = await auth(await answered({ user: { ...grace.user, name: null }, emails }));
    expect([answer.code, answer.data]).toEqual(['PROFILE_NEEDED', { requestId: answer.requestId }]);
  });

  test.each([
    ['not JSON', 'gho_1 grace@site.example'],
    ['of the wrong shape', '{"id":"gho_1","email":"grace@site.example"}'],
  ])('is refused when the API answer is %s, and the log does not quote it', async (_name, raw) => {
    expect((await auth(await answered({ ...grace, raw }))).code).toBe('SSO_FAILED');
    expect(backend.logged).toContainEqual(expect.objectContaining({ msg: 'a single sign-on was not confirmed' }));
  });

  test('is refused with a wrong code or the code of another sign-in', async () => {
    const [one, two] = [await answered(grace), await answered(grace)];
    expect((await auth({ ...one, code: 'wrong' })).code).toBe('SSO_FAILED');
    // PKCE: the code belongs to the other start.
    expect((await auth({ ...two, code: one.code })).code).toBe('SSO_FAILED');
  });
});
