import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import { stubServices } from '../../testing/stub-services.ts';
import { createApp } from '../app.ts';
import { siteLimits } from '../limits.ts';

/** The site in front of the test's own backend; `baseUrl` changes the backend's address. */
async function siteBefore(answer: RequestListener, baseUrl = (url: string) => url) {
  const seen: IncomingMessage[] = [];
  const backend = await startLocalServer((req, res) => {
    seen.push(req);
    req.resume().once('end', () => answer(req, res));
  });
  onTestFinished(backend.close);
  // No call is ended because of its age, however starved the machine is.
  const limits = { ...siteLimits, callMs: 600_000 };
  const services = stubServices({ API_BASE_URL: baseUrl(backend.url) }, { limits });
  const site = await startLocalServer(createApp(services).listener);
  onTestFinished(site.close);
  const call = async () => {
    const init = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
    const answered = await fetch(site.url + calls.login, init);
    const text = await answered.text();
    const code: unknown = text === '' ? undefined : JSON.parse(text).code;
    return { status: answered.status, code, headers: answered.headers };
  };
  return { call, seen, services, url: site.url };
}

const fine = (_req: IncomingMessage, res: ServerResponse) =>
  void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');

test('a backend with a base path is called below it', async () => {
  const { call, seen } = await siteBefore(fine, (url) => `${url}/backend`);
  expect((await call()).status).toBe(200);
  expect(seen[0]?.url).toBe(`/backend${calls.login}`);
});

test('a backend with https is never called over http', async () => {
  const { call, seen } = await siteBefore(fine, (url) => url.replace('http:', 'https:'));
  expect(await call()).toMatchObject({ status: 502, code: 'BACKEND_UNREACHABLE' });
  expect(seen).toEqual([]);
});

test('consecutive calls share a connection', async () => {
  const { call, seen } = await siteBefore(fine);
  for (let count = 0; count < 3; count += 1) expect((await call()).status).toBe(200);
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1);
});

test('a backend that switches protocols is disconnected', async () => {
  const closed = Promise.withResolvers<void>();
  const { call } = await siteBefore((req) => {
    req.socket.once('close', closed.resolve);
    req.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
  });
  expect(await call()).toMatchObject({ status: 502, code: 'BACKEND_BAD_ANSWER' });
  await closed.promise;
});

test('oversized headers are a bad answer', async () => {
  const { call } = await siteBefore(
    (_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json', 'X-Long': 'x'.repeat(20_000) }).end(),
  );
  expect(await call()).toMatchObject({ status: 502, code: 'BACKEND_BAD_ANSWER' });
});

test.each([
  [200, 'application/problem+json', '{}', 200],
  [200, 'Application/JSON; charset=utf-8', '{}', 200],
  [299, 'application/json', '{}', 299],
  [499, 'application/json', '{}', 499],
  [205, 'text/plain', '', 205],
  [200, 'text/json', '{}', 502],
  [200, 'text/plain; was=application/json', '{}', 502],
  [200, 'application/json5', '{}', 502],
  [300, 'application/json', '{}', 502],
  [399, 'application/json', '{}', 502],
  [404, 'text/html', '', 502],
])('%i with %s and %j is answered with %i', async (status, type, body, expected) => {
  const { call } = await siteBefore((_req, res) => void res.writeHead(status, { 'Content-Type': type }).end(body));
  const answer = await call();
  expect([answer.status, answer.code]).toEqual([expected, expected === 502 ? 'BACKEND_BAD_ANSWER' : undefined]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('a body with the identity coding is accepted', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' };
  const { call } = await siteBefore((_req, res) => void res.writeHead(200, headers).end('{}'));
  expect((await call()).status).toBe(200);
});

test('a busy backend without Retry-After may be retried in 2 s, and is logged', async () => {
  const { call, services } = await siteBefore((_req, res) => void res.writeHead(503).end());
  const { status, code, headers } = await call();
  expect([status, code, headers.get('retry-after')]).toEqual([503, 'BACKEND_BUSY', '2']);
  expect(services.logged).toContainEqual(
    expect.objectContaining({
      code: 'BACKEND_BUSY',
      route: calls.login,
      err: expect.objectContaining({ message: 'Status 503.' }),
    }),
  );
});

test('a call is one log line under its own path, even if its method is refused', async () => {
  const { call, services, url } = await siteBefore(fine);
  await call();
  await fetch(url + calls.logout);
  await expect
    .poll(() => services.logged.map(({ route, status }) => [route, status]))
    .toEqual([
      [calls.login, 200],
      [calls.logout, 405],
    ]);
});
