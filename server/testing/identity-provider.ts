import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import { startLocalServer } from './local-server.ts';

/** What the provider says about a person. */
export interface Person {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
}

/** A real OpenID Connect provider on loopback, driven without a browser. */
export interface IdentityProvider {
  issuer: string;
  /** Settings of a console that uses it. */
  settings: Record<string, string>;
  /** Sets the person who signs in next on its page, in a browser. */
  meet(person: Person): void;
  /** Signs a person in at a sign-in's start address. @returns the query that the browser comes back with */
  signIn(start: string, person: Person): Promise<URLSearchParams>;
  /** Changes ID tokens before they are re-signed, like a provider that lies; undefined stops that. */
  lie(change: ((claims: JWTPayload) => JWTPayload) | undefined, foreignKey?: boolean): void;
  close(): Promise<void>;
}

const clientId = 'console';
const clientSecret = 'a secret of the console at the provider';

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const keys = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256');
  const people = new Map<string, Person>();
  let next: Person = { sub: 'nobody' };
  let lie: ((claims: JWTPayload) => JWTPayload) | undefined;
  let signingKey = keys.privateKey;

  const server = await startLocalServer((req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void handle(req, res);
    // Anyone who visits the sign-in page is the person set by `signIn`.
    people.set(next.sub, next);
    void provider.interactionFinished(req, res, { login: { accountId: next.sub } });
  });
  const issuer = server.url;

  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), alg: 'RS256', kid: 'only' }] },
    cookies: { keys: ['test'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AuthorizationCode: 60, AccessToken: 60, IdToken: 60 },
    pkce: { required: () => true },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    // No one is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx: KoaContextWithOIDC, toNext) => {
    await toNext();
    const body = ctx.body;
    if (!lie || typeof body !== 'object' || body === null || !('id_token' in body)) return;
    const header = { alg: 'RS256', kid: 'only' };
    const claims = lie(decodeJwt(String(body.id_token)));
    body.id_token = await new SignJWT(claims).setProtectedHeader(header).sign(signingKey);
  });
  const handle = provider.callback();

  return {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    meet(person) {
      next = person;
    },
    async signIn(start, person) {
      next = person;
      return comeBack(start, redirectUri);
    },
    lie(change, foreignKey = false) {
      lie = change;
      signingKey = foreignKey ? foreign.privateKey : keys.privateKey;
    },
    close: server.close,
  };
}

/** Follows redirects with cookies, as a browser does, up to the sign-in's return address. */
async function comeBack(start: string, redirectUri: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let step = 0; step < 10; step += 1) {
    if (url.href.startsWith(redirectUri)) return url.searchParams;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
    await response.body?.cancel();
    url = new URL(location, url);
  }
  throw new Error('The provider redirects endlessly.');
}
