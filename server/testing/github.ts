import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLocalServer } from './local-server.ts';

/** What GitHub's API says about a person. */
export interface GithubPerson {
  user: { id: number; login: string; name: string | null };
  emails: { email: string; primary: boolean; verified: boolean }[];
  /** What the API answers instead, to test its failure. */
  raw?: string;
}

/** A stand-in for GitHub on loopback that checks requests against GitHub's documentation. */
export interface Github {
  url: string;
  settings: Record<string, string>;
  /** Makes a person agree at a sign-in's start address. @returns the query that the browser comes back with */
  authorize(start: string, person: GithubPerson): Promise<URLSearchParams>;
  /** What was wrong with the requests so far. */
  faults: string[];
  close(): Promise<void>;
}

const clientId = 'github-app';
const clientSecret = 'a secret of the app at GitHub';

export async function startGithub(redirectUri: string): Promise<Github> {
  const faults: string[] = [];
  const codes = new Map<string, { challenge: string; person: GithubPerson }>();
  const tokens = new Map<string, GithubPerson>();
  let next: GithubPerson | undefined;

  const check = (right: boolean, fault: string) => {
    if (!right) faults.push(fault);
    return right;
  };
  const json = (res: ServerResponse, status: number, body: unknown) =>
    res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));

  function authorize(query: URLSearchParams, res: ServerResponse) {
    const expected = { client_id: clientId, redirect_uri: redirectUri, scope: 'user:email', response_type: 'code' };
    for (const [name, value] of Object.entries({ ...expected, code_challenge_method: 'S256' })) {
      check(query.get(name) === value, `authorize: ${name}`);
    }
    const code = randomBytes(10).toString('hex');
    if (next) codes.set(code, { challenge: query.get('code_challenge') ?? '', person: next });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    res.writeHead(302, { Location: back.href }).end();
  }

  async function exchange(req: IncomingMessage, res: ServerResponse) {
    const form = new URLSearchParams(await text(req));
    check(req.headers.accept === 'application/json', 'token: Accept');
    check(form.get('client_id') === clientId && form.get('client_secret') === clientSecret, 'token: client');
    check(form.get('redirect_uri') === redirectUri, 'token: redirect_uri');
    const given = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    // GitHub reports faults with status 200.
    if (given?.challenge !== challenge) return json(res, 200, { error: 'bad_verification_code' });
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.set(token, given.person);
    return json(res, 200, { access_token: token, scope: 'user:email', token_type: 'bearer' });
  }

  function api(req: IncomingMessage, res: ServerResponse, path: string) {
    // GitHub rejects programs that do not identify themselves.
    check(req.headers['user-agent'] !== undefined, 'api: User-Agent');
    const person = tokens.get(/^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '');
    if (!person) return json(res, 401, { message: 'Bad credentials' });
    if (person.raw !== undefined) return res.writeHead(200, { 'Content-Type': 'application/json' }).end(person.raw);
    if (path === '/user') return json(res, 200, { ...person.user, email: null, type: 'User' });
    if (path === '/user/emails')
      return json(
        res,
        200,
        person.emails.map((one) => ({ ...one, visibility: null })),
      );
    return json(res, 404, { message: 'Not Found' });
  }

  const server = await startLocalServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://github');
    if (pathname === '/login/oauth/authorize') return authorize(searchParams, res);
    if (pathname === '/login/oauth/access_token' && req.method === 'POST') return void exchange(req, res);
    return void api(req, res, pathname.replace('/api/v3', ''));
  });
  return {
    url: server.url,
    settings: { GITHUB_URL: server.url, GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret },
    faults,
    async authorize(start, person) {
      next = person;
      const response = await fetch(start, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').searchParams;
    },
    close: server.close,
  };
}
