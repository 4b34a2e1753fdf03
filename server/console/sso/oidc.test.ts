import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { type IdentityProvider, type Person, startIdentityProvider } from '../../testing/identity-provider.ts';
import { driveSignOn, redirectUri, type SignOn } from '../../testing/sign-on.ts';
import { oidcProvider } from './oidc.ts';

const ada: Person = { sub: 'person-1', name: 'Ada L.', email: 'ada@site.example', email_verified: true };

let provider: IdentityProvider;
let other: IdentityProvider;
beforeAll(async () => {
  [provider, other] = await Promise.all([startIdentityProvider(redirectUri), startIdentityProvider(redirectUri)]);
});
afterAll(() => Promise.all([provider.close(), other.close()]));

let backend: TestConsole;
let signOn: SignOn;
beforeEach(async () => {
  backend = await openTestConsole(provider.settings);
  signOn = driveSignOn(backend, provider);
  const { sso, now } = backend.services;
  const [clientId, clientSecret] = [other.settings.OIDC_CLIENT_ID ?? '', other.settings.OIDC_CLIENT_SECRET ?? ''];
  // A second provider in place of Google.
  const second = { type: 'google', name: 'Google', issuer: other.issuer, clientId, clientSecret, now } as const;
  backend.services.sso = [...sso, oidcProvider(second)];
  return () => backend.close();
});
afterEach(() => {
  provider.lie(undefined);
  const log = JSON.stringify(backend.logged);
  for (const secret of [...signOn.secrets, 'ada@']) expect(log).not.toContain(secret);
});

const accounts = async () =>
  (await backend.services.database.one(z.object({ n: z.number() }), 'SELECT count(*) AS n FROM account'))?.n;

describe("a provider's answer", () => {
  test('is accepted only from the provider that was asked', async () => {
    const { google = '' } = await signOn.starts();
    const ofGoogle = new URL(google).searchParams.get('state') ?? '';
    const mixed = await signOn.answered(ada);
    expect((await signOn.auth({ ...mixed, state: ofGoogle })).body.code).toBe('SSO_FAILED');
    const claimed = await signOn.answered(ada);
    expect((await signOn.auth({ ...claimed, iss: other.issuer })).body.code).toBe('SSO_FAILED');
    const { iss: _, ...unnamed } = await signOn.answered(ada);
    expect((await signOn.auth(unnamed)).body.code).toBe('SSO_FAILED');
    expect(JSON.stringify(backend.logged)).toContain('(issuer)');
  });

  test('is accepted only with the nonce that was sent', async () => {
    const start = new URL((await signOn.starts()).oidc ?? '');
    start.searchParams.set('nonce', 'of-somebody-else');
    expect((await signOn.auth(await signOn.answered(ada, start.href))).body.code).toBe('SSO_FAILED');
  });

  const lies: [string, (claims: JWTPayload) => JWTPayload, RegExp][] = [
    ['another issuer', (claims) => ({ ...claims, iss: 'https://accounts.example' }), /"iss\\" \(issuer\) claim/],
    ['another nonce', (claims) => ({ ...claims, nonce: 'other' }), /"nonce\\" claim/],
    ['no nonce', ({ nonce: _, ...claims }) => claims, /"nonce\\" \(nonce\) claim missing/],
    ['another audience', (claims) => ({ ...claims, aud: 'another client' }), /"aud\\" \(audience\) claim/],
    ['an expiry time in the past', (claims) => ({ ...claims, exp: (claims.iat ?? 0) - 3600 }), /"exp\\" \(expiration/],
    ['a different subject from the userinfo', (claims) => ({ ...claims, sub: 'person-2' }), /\\"sub\\"/],
  ];
  test.each(lies)('is refused when the ID token has %s', async (_name, change, reason) => {
    provider.lie(change);
    expect((await signOn.signIn(ada)).code).toBe('SSO_FAILED');
    expect(await accounts()).toBe(0);
    expect(JSON.stringify(backend.logged)).toMatch(reason);
  });

  test('is refused when the ID token is signed by someone else', async () => {
    provider.lie((claims) => claims, true);
    expect((await signOn.signIn(ada)).code).toBe('SSO_FAILED');
    provider.lie((claims) => claims);
    expect((await signOn.signIn(ada)).success).toBe(true);
  });

  test('is refused when it is a bare access token, since no sign-in from here returns one', async () => {
    const { state } = await signOn.answered(ada);
    expect((await signOn.auth({ state, accessToken: 'of another client' })).body.code).toBe('SSO_FAILED');
    const nothing = await signOn.auth({ state });
    expect([nothing.status, Object.keys(nothing.body.fields)]).toEqual([400, ['code']]);
  });
});

test('a provider that does not answer is not offered, and is asked again, once, after 30 seconds', async () => {
  let [asked, up] = [0, false];
  const server = createServer((_req, res) => {
    asked += 1;
    const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    res.writeHead(up ? 200 : 503, { 'Content-Type': 'application/json' }).end(JSON.stringify(metadata));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { services } = backend;
  const about = { type: 'oidc', name: 'X', clientId: 'c', clientSecret: 's', now: services.now } as const;
  services.sso = [oidcProvider({ ...about, issuer }), ...services.sso.slice(1)];
  const offered = async () => Object.keys(await signOn.starts());
  expect(await Promise.all([offered(), offered()])).toEqual([['google'], ['google']]);
  up = true;
  backend.pass(29_999);
  expect([await offered(), asked]).toEqual([['google'], 1]);
  backend.pass(1);
  expect([await offered(), await offered(), asked]).toEqual([['oidc', 'google'], ['oidc', 'google'], 2]);
  expect(JSON.stringify(backend.logged)).toContain('an identity provider did not answer');
  server.close();
  server.closeAllConnections();
});
