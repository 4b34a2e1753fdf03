import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stubServices } from '../../testing/stub-services.ts';
import { type SeenCall, startUpstream, type Upstream } from '../../testing/upstream.ts';
import { createApp } from '../app.ts';
import { siteLimits } from '../limits.ts';
import type { SiteServices } from '../services.ts';
import { BackendError } from './errors.ts';

const file = Buffer.alloc(300_000, 'Rows. ');

function answer({ url, body }: SeenCall, res: ServerResponse): void {
  if (url?.startsWith('/downloads/silent')) return;
  if (url?.startsWith('/downloads/')) {
    res.writeHead(200, { 'Content-Type': 'application/gzip', 'Content-Length': file.length, 'X-Internal': 'secret' });
    res.end(file);
  } else if (body !== 'silent') res.writeHead(303, { Location: '/register' }).end();
}

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(answer);
});
afterAll(() => upstream.close());

const form = 'application/x-www-form-urlencoded';

function serverOf(changes: Partial<SiteServices> = {}, apiBaseUrl = upstream.url) {
  // No call ends for its age, however starved the machine is.
  const limits = { ...siteLimits, callMs: 600_000 };
  return http.createServer(createApp(stubServices({ API_BASE_URL: apiBaseUrl }, { limits, ...changes })).listener);
}

const post = (body: string, changes?: Partial<SiteServices>) =>
  request(serverOf(changes)).post('/registerFromMarket').set('Content-Type', form).send(body).redirects(0);
const soon = { limits: { ...siteLimits, callMs: 300 } };

test('a file comes with its own headers alone, its signature passed on', async () => {
  const { status, headers, body } = await request(serverOf()).get('/downloads/a.tar.gz?signature=1').buffer(true);
  expect([status, headers['content-type'], headers['x-internal']]).toEqual([200, 'application/gzip', undefined]);
  expect(Buffer.compare(body, file)).toBe(0);
  expect(upstream.seen.at(-1)?.url).toBe('/downloads/a.tar.gz?signature=1');
});

test("a marketplace's form arrives byte by byte, and its answer comes back", async () => {
  const { status, headers } = await post('token=a%20b');
  expect([status, headers.location]).toEqual([303, '/register']);
  expect(upstream.seen.at(-1)).toMatchObject({ body: 'token=a%20b', headers: { 'content-type': form } });
});

test('a body above 256 kB is refused before the backend hears of it', async () => {
  const before = upstream.seen.length;
  expect((await post('x'.repeat(256 * 1024 + 1))).status).toBe(413);
  expect(upstream.seen.length).toBe(before);
});

test('a body that does not end in time is 408', async () => {
  const server = serverOf(soon).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = http.request({ port, path: '/registerFromMarket', method: 'POST', headers: { 'Content-Type': form } });
  call.on('error', () => undefined);
  call.write('token=');
  const [response]: http.IncomingMessage[] = await once(call, 'response');
  expect(response?.resume().statusCode).toBe(408);
  call.destroy();
  server.close();
});

test('a backend that does not begin to answer is 504, for a form and for a file', async () => {
  expect((await post('silent', soon)).status).toBe(504);
  expect((await request(serverOf(soon)).get('/downloads/silent')).status).toBe(504);
});

test('a backend that is gone is 502', async () => {
  const gone = await startUpstream();
  await gone.close();
  expect((await request(serverOf({}, gone.url)).get('/downloads/a')).status).toBe(502);
});

test('who waits is told when the server is about to stop', async () => {
  const lastCall = new AbortController();
  const arrived = upstream.next();
  const waiting = post('silent', { lastCall: lastCall.signal }).then(({ status }) => status);
  const { gone } = await arrived;
  lastCall.abort(new BackendError('RESTARTING'));
  expect(await waiting).toBe(503);
  await gone;
});

test('a kept connection that the backend closes in the moment of its use costs nobody an answer', async () => {
  const used = new WeakSet<object>();
  const closing = http.createServer((asked, res) => {
    if (used.has(asked.socket)) return asked.socket.destroy();
    used.add(asked.socket);
    asked.resume().on('end', () => res.writeHead(303, { Location: '/register' }).end());
    return undefined;
  });
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const { port } = closing.address() as AddressInfo;
  const server = serverOf({}, `http://127.0.0.1:${port}`).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = () => request(server).post('/registerFromMarket').set('Content-Type', form).send('a').redirects(0);
  expect((await ask()).status).toBe(303);
  expect((await ask()).status).toBe(303);
  server.close();
  closing.closeAllConnections();
  closing.close();
});
