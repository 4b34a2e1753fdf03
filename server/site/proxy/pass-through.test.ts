import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { freePort } from '../../testing/free-port.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import { stubServices } from '../../testing/stub-services.ts';
import { type SeenCall, startUpstream, type Upstream } from '../../testing/upstream.ts';
import { createApp } from '../app.ts';
import { siteLimits } from '../limits.ts';
import type { SiteServices } from '../services.ts';
import { BackendError } from './errors.ts';

const json = 'application/json; charset=utf-8';
const file = Buffer.alloc(300_000, 'Rows. ');
/** Headers that describe a file and its transfer. */
const ofFile = {
  'content-type': 'application/gzip',
  'content-length': String(file.length),
  'content-range': `bytes 0-${file.length - 1}/900000`,
  'content-disposition': 'attachment; filename="a.tar.gz"',
  'accept-ranges': 'bytes',
  'cache-control': 'private, max-age=60',
  etag: '"a1"',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  'retry-after': '7',
  'x-accel-buffering': 'no',
};
/** Answers that have begun; a test ends them. */
const begun: ServerResponse[] = [];

function answer({ url, body, headers }: SeenCall, res: ServerResponse): void {
  if (url?.startsWith('/downloads/silent')) return;
  if (headers['content-type'] === json) {
    res.writeHead(200, { 'Content-Type': json }).end('{}');
    return;
  }
  if (url?.startsWith('/downloads/begun') || url === jobCalls.jobEvents) {
    res.writeHead(200, { 'Content-Type': 'text/plain' }).write('begun');
    begun.push(res);
  } else if (url?.startsWith('/downloads/')) {
    res.writeHead(200, { ...ofFile, 'X-Internal': 'secret' });
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
  // No call is ended because of its age, however starved the machine is.
  const limits = { ...siteLimits, callMs: 600_000 };
  return http.createServer(createApp(stubServices({ API_BASE_URL: apiBaseUrl }, { limits, ...changes })).listener);
}

/** Serves until the test is over. */
async function siteOf(changes: Partial<SiteServices> = {}, apiBaseUrl = upstream.url) {
  const limits = { ...siteLimits, callMs: 600_000 };
  const services = stubServices({ API_BASE_URL: apiBaseUrl }, { limits, ...changes });
  const { url, close } = await startLocalServer(createApp(services).listener);
  onTestFinished(close);
  return { url, services };
}

const post = (body: string, changes?: Partial<SiteServices>) =>
  request(serverOf(changes)).post('/registerFromMarket').set('Content-Type', form).send(body).redirects(0);
const soon = { limits: { ...siteLimits, callMs: 2_000 } };

test('a file has its own headers only, and its signature is forwarded', async () => {
  const { status, headers, body } = await request(serverOf()).get('/downloads/a.tar.gz?signature=1').buffer(true);
  expect([status, headers['x-internal']]).toEqual([200, undefined]);
  expect(headers).toMatchObject(ofFile);
  expect(Buffer.compare(body, file)).toBe(0);
  expect(upstream.seen.at(-1)?.url).toBe('/downloads/a.tar.gz?signature=1');
});

const inner = '/cloudcanal/console/api/v1/inner';
const openCall = '/cloudcanal/console/api/v1/openapi/data-job/list';
const always = ['content-length', 'x-forwarded-for', 'x-request-id'];
const ofRange = ['if-modified-since', 'if-none-match', 'if-range', 'range'];
const spoken = ['authorization', 'content-type', 'user-agent'];

test.each([
  ['GET', '/downloads/a-1_b.tar.gz', undefined, ofRange, '/downloads/*', true],
  ['HEAD', '/downloads/a-1_b.tar.gz', undefined, ofRange, '/downloads/*', true],
  ['GET', '/invoices/2026-01_a.pdf', undefined, ofRange, '/invoices/*.pdf', true],
  ['GET', jobCalls.jobEvents, undefined, ['accept', 'authorization', 'user-agent'], jobCalls.jobEvents, true],
  ['POST', '/webhooks/stripe', json, ['content-type', 'stripe-signature'], '/webhooks/stripe', false],
  ['POST', '/registerFromMarket', form, ['content-type'], '/registerFromMarket (form)', false],
  ['POST', openCall, json, spoken, '/cloudcanal/console/api/v1/openapi/*', true],
  ['POST', `${inner}/job/a_1/b`, json, spoken, 'calls of jobs', true],
  ['POST', `${inner}/practice/create`, json, spoken, 'calls of jobs', true],
  ['POST', `${inner}/apikey/list`, json, spoken, 'calls of jobs', true],
] as const)('%s %s is forwarded with the headers it needs', async (method, path, type, names, route, hasQuery) => {
  const { url, services } = await siteOf();
  const { hostname, port } = new URL(url);
  const headers = {
    ...Object.fromEntries([...spoken, ...ofRange, 'stripe-signature'].map((name) => [name, `my ${name}`])),
    accept: 'text/event-stream',
    cookie: 'c=1',
    'x-custom': 'no',
    'x-request-id': 'mine',
    ...(type && { 'content-type': type }),
    'content-length': '3',
  };
  const call = http.request({ hostname, port, method, path: `${path}?signature=1`, headers });
  call.end('a=1');
  const [response]: http.IncomingMessage[] = await once(call, 'response');
  await once(response?.resume() ?? call, 'end');
  const seen = upstream.seen.at(-1);
  expect(seen).toMatchObject({ method, url: hasQuery ? `${path}?signature=1` : path, body: type ? 'a=1' : '' });
  const { host, connection, ...sent } = seen?.headers ?? {};
  expect(host).toBe(new URL(upstream.url).host);
  expect(connection).toBe('keep-alive');
  expect(Object.keys(sent).sort()).toEqual([...always, ...names].sort());
  for (const name of names) expect(sent[name]).toBe(Reflect.get(headers, name));
  expect(sent).toMatchObject({
    'content-length': type ? '3' : '0',
    'x-forwarded-for': '127.0.0.1',
    'x-request-id': response?.headers['x-request-id'],
  });
  await expect.poll(() => services.logged.map((line) => line.route)).toEqual([route]);
});

test.each([
  ['POST', '/downloads/a', 405],
  ['GET', '/my/downloads/a', 404],
  ['GET', '/downloads/a/b', 404],
  ['GET', `/downloads/${'a'.repeat(201)}`, 404],
  ['GET', '/my/invoices/1.pdf', 404],
  ['GET', '/invoices/1.pdf.exe', 404],
  ['GET', '/invoices/a/1.pdf', 404],
  ['GET', '/invoices/1xpdf', 404],
  ['GET', '/webhooks/stripe', 404],
  ['POST', '/my/webhooks/stripe', 405],
  ['POST', '/webhooks/stripe/my', 405],
  ['POST', `/my${openCall}`, 405],
  ['POST', `${openCall}.json`, 404],
  ['POST', `/my${inner}/job/list`, 405],
  ['POST', `${inner}/job/list.json`, 404],
  ['POST', `${inner}/other/list`, 404],
  ['GET', `/my${jobCalls.jobEvents}`, 404],
  ['GET', `${jobCalls.jobEvents}/more`, 404],
] as const)('%s %s is not forwarded', async (method, path, status) => {
  const { url } = await siteOf();
  const before = upstream.seen.length;
  const body = method === 'POST' ? { body: '{}', headers: { 'Content-Type': json } } : {};
  expect((await fetch(url + path, { method, ...body })).status).toBe(status);
  expect(upstream.seen.length).toBe(before);
});

test.each([
  ['/my/registerFromMarket', form, 405],
  ['/registerFromMarkets', form, 405],
  ['/registerFromMarket', 'text/plain', 415],
  ['/registerFromMarket', `text/plain; was=${form}`, 415],
  ['/webhooks/stripe', 'text/plain', 405],
  ['/webhooks/stripe', 'text/plain; was=application/json', 405],
  ['/webhooks/stripe', '', 405],
])('POST %s as %s is not forwarded', async (path, type, status) => {
  const { url } = await siteOf();
  const before = upstream.seen.length;
  expect(
    (await fetch(url + path, { method: 'POST', body: Buffer.from('{}'), headers: { 'Content-Type': type } })).status,
  ).toBe(status);
  expect(upstream.seen.length).toBe(before);
});

test('a backend with a base path is called below it', async () => {
  const { url } = await siteOf({}, `${upstream.url}/backend/`);
  await fetch(`${url}/downloads/a?b`);
  expect(upstream.seen.at(-1)?.url).toBe('/backend/downloads/a?b');
});

test('a backend with https is never called over http', async () => {
  const before = upstream.seen.length;
  const { url, services } = await siteOf({}, upstream.url.replace('http:', 'https:'));
  expect((await fetch(`${url}/downloads/a`)).status).toBe(502);
  expect(upstream.seen.length).toBe(before);
  expect(services.logged).toContainEqual(expect.objectContaining({ code: 'BACKEND_UNREACHABLE' }));
});

/** An answer whose first bytes have arrived, and the backend's side of it. */
async function beginning(url: string) {
  const answer = await fetch(url);
  const reader = answer.body?.getReader();
  await reader?.read();
  const sender = begun.pop();
  if (!reader || !sender) throw new Error('The answer has no body.');
  return { reader, sender, status: answer.status };
}

test('a client that leaves ends the transfer, and a broken transfer is visible to the client', async () => {
  const { url, services } = await siteOf();
  const left = await beginning(`${url}/downloads/begun`);
  const closed = once(left.sender, 'close');
  await left.reader.cancel();
  await closed;
  const broken = await beginning(`${url}/downloads/begun`);
  broken.sender.destroy();
  await expect(broken.reader.read()).rejects.toThrow();
  // No one can do anything about either.
  expect(services.logged.filter(({ level }) => Number(level) > 30)).toEqual([]);
});

test('a stopping server ends streams, but sends files to their end', async () => {
  const lastCall = new AbortController();
  const { url } = await siteOf({ lastCall: lastCall.signal });
  const stream = await beginning(url + jobCalls.jobEvents);
  const download = await beginning(`${url}/downloads/begun`);
  const closed = once(stream.sender, 'close');
  lastCall.abort(new BackendError('RESTARTING'));
  await closed;
  await expect(stream.reader.read()).rejects.toThrow();
  download.sender.end('whole');
  expect(Buffer.from((await download.reader.read()).value ?? []).toString()).toBe('whole');
  expect((await download.reader.read()).done).toBe(true);
});

test('a file whose response has begun has no time limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url } = await siteOf({ limits: siteLimits });
  const download = await beginning(`${url}/downloads/begun`);
  vi.advanceTimersByTime(siteLimits.callMs);
  download.sender.end('whole');
  expect(Buffer.from((await download.reader.read()).value ?? []).toString()).toBe('whole');
});

test.each([
  ['files', 64, '/downloads/begun', jobCalls.jobEvents],
  ['streams', 200, jobCalls.jobEvents, '/downloads/a'],
])('of %s, %i at a time are forwarded, regardless of other kinds', async (_name, most, path, other) => {
  const { url } = await siteOf();
  const leave = new AbortController();
  const ask = (wanted: string) => fetch(url + wanted, { signal: leave.signal });
  const answers = await Promise.all(Array.from({ length: most }, () => ask(path)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await ask(path);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await ask(other)).status).toBe(200);
  const over = begun.splice(0).map((sender) => once(sender, 'close'));
  leave.abort();
  await Promise.all(over);
});

test("a marketplace's form is forwarded byte for byte, and the response is returned", async () => {
  const { status, headers } = await post('token=a%20b');
  expect([status, headers.location]).toEqual([303, '/register']);
  expect(upstream.seen.at(-1)).toMatchObject({ body: 'token=a%20b', headers: { 'content-type': form } });
});

test('a body above 256 kB is refused without calling the backend', async () => {
  const before = upstream.seen.length;
  expect((await post('x'.repeat(256 * 1024 + 1))).status).toBe(413);
  expect(upstream.seen.length).toBe(before);
});

test('a body that does not end in time answers 408', async () => {
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

test('a backend that does not begin to answer is 504, for forms and files', async () => {
  expect((await post('silent', soon)).status).toBe(504);
  expect((await request(serverOf(soon)).get('/downloads/silent')).status).toBe(504);
});

test('an unreachable backend is 502', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  expect((await request(serverOf({}, nobody)).get('/downloads/a')).status).toBe(502);
});

test('a waiting request is answered with 503 when the server is about to stop', async () => {
  const lastCall = new AbortController();
  const arrived = upstream.next();
  const waiting = post('silent', { lastCall: lastCall.signal }).then(({ status }) => status);
  const { gone } = await arrived;
  lastCall.abort(new BackendError('RESTARTING'));
  expect(await waiting).toBe(503);
  await gone;
});

/** A backend that answers the first request of each connection; the test decides what happens to the next one. */
async function onceOnly(next: (socket: Socket) => unknown) {
  const used = new Set<Socket>();
  let requests = 0;
  const backend = await startLocalServer((asked, res) => {
    requests += 1;
    asked.resume().on('end', () => {
      if (used.has(asked.socket)) return next(asked.socket);
      used.add(asked.socket);
      return res.writeHead(303, { Location: '/register' }).end();
    });
  });
  onTestFinished(backend.close);
  const { url } = await siteOf({}, backend.url);
  const get = async () => (await fetch(`${url}/downloads/a`, { redirect: 'manual' })).status;
  const send = async (path = '/registerFromMarket', type = form) => {
    const init = { method: 'POST', body: '{}', headers: { 'Content-Type': type } };
    return (await fetch(url + path, { ...init, redirect: 'manual' })).status;
  };
  return { url, get, send, requests: () => requests, connections: () => used.size };
}

test('a GET is retried if the backend closes a kept connection as it is used', async () => {
  const { get, requests, connections } = await onceOnly((socket) => socket.destroy());
  expect(await Promise.all([get(), get()])).toEqual([303, 303]);
  expect([requests(), connections()]).toEqual([2, 2]);
  // Two connections are kept; after the first of them the request goes over a new one.
  expect(await get()).toBe(303);
  expect([requests(), connections()]).toEqual([4, 3]);
});

test.each([
  ['/registerFromMarket', form],
  ['/webhooks/stripe', json],
  [openCall, json],
  [`${inner}/practice/create`, json],
])('POST %s is not retried after a lost connection, since it may have been executed', async (path, type) => {
  const { get, send, requests } = await onceOnly((socket) => socket.destroy());
  expect(await get()).toBe(303);
  expect(await send(path, type)).toBe(502);
  expect(requests()).toBe(2);
});

test('a request that the backend has read is not retried', async () => {
  const { get, send, requests } = await onceOnly((socket) => socket.end('no HTTP\r\n\r\n'));
  expect([await get(), await send()]).toEqual([303, 502]);
  expect(requests()).toBe(2);
  let asked = 0;
  const resetting = await startLocalServer((req) => {
    asked += 1;
    req.socket.resetAndDestroy();
  });
  onTestFinished(resetting.close);
  const { url } = await siteOf({}, resetting.url);
  expect((await fetch(`${url}/downloads/a`)).status).toBe(502);
  expect(asked).toBe(1);
});

test('a file that breaks off is not requested again', async () => {
  let begunOn: Socket | undefined;
  const { url, get, requests } = await onceOnly((socket) => {
    begunOn = socket;
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegun');
  });
  expect(await get()).toBe(303);
  const reader = (await fetch(`${url}/downloads/a`)).body?.getReader();
  await reader?.read();
  begunOn?.resetAndDestroy();
  await expect(reader?.read()).rejects.toThrow();
  // A repeated request would have arrived by now.
  expect(await get()).toBe(303);
  expect(requests()).toBe(3);
});

describe('the response to a job call', () => {
  const large = JSON.stringify({ success: true, data: 'x'.repeat(6 * 1024 * 1024) });
  const call = { method: 'POST', body: '{}', headers: { 'Content-Type': json } };

  /** A site whose backend answers each call as the test specifies. */
  async function answering(give: (res: ServerResponse) => void, limits = { ...siteLimits, callMs: 600_000 }) {
    const backend = await startLocalServer((asked, res) => void asked.resume().once('end', () => give(res)));
    onTestFinished(backend.close);
    const { url, services } = await siteOf({ limits }, backend.url);
    const codes = () => services.logged.filter(({ level }) => Number(level) > 30).map(({ code }) => code);
    return { ask: (init: RequestInit = {}) => fetch(url + openCall, { ...call, ...init }), codes };
  }

  test.each([200, 201, 400, 401, 404, 409, 497, 498, 499])('with %i is forwarded unchanged', async (status) => {
    const headers = { 'Content-Type': json, 'Cache-Control': 'no-store', 'X-Internal': 'secret' };
    const { ask, codes } = await answering((res) => void res.writeHead(status, headers).end('{"code":"0"}'));
    const answer = await ask();
    expect([answer.status, await answer.text()]).toEqual([status, '{"code":"0"}']);
    expect(answer.headers.get('content-type')).toBe(json);
    expect(answer.headers.get('x-internal')).toBeNull();
    expect(codes()).toEqual([]);
  });

  test('without content is forwarded', async () => {
    const { ask } = await answering((res) => void res.writeHead(204).end());
    expect([(await ask()).status, await (await ask()).text()]).toEqual([204, '']);
  });

  test('may be large', async () => {
    const { ask } = await answering((res) => void res.writeHead(200, { 'Content-Type': json }).end(large));
    const answer = await ask();
    expect([answer.status, (await answer.text()) === large]).toEqual([200, true]);
  });

  test.each([
    [500, json, 'BACKEND_FAILED'],
    [200, 'text/html', 'BACKEND_BAD_ANSWER'],
  ])('with %i as %s is replaced by the envelope, however large it is', async (status, type, code) => {
    let closed: Promise<unknown> | undefined;
    const { ask } = await answering((res) => {
      closed = once(res, 'close');
      res.writeHead(status, { 'Content-Type': type }).write(large);
    });
    const answer = await ask();
    expect([answer.status, (await answer.json()).code]).toEqual([502, code]);
    // No one reads the rest of it.
    await closed;
  });

  test('that is large breaks off if it does not end in time', async () => {
    const short = { ...siteLimits, callMs: 2_000 };
    const give = (res: ServerResponse) => void res.writeHead(200, { 'Content-Type': json }).write(large);
    const { ask, codes } = await answering(give, short);
    const answer = await ask();
    await expect(answer.text()).rejects.toThrow();
    expect(answer.status).toBe(200);
    await expect.poll(codes).toEqual(['BACKEND_TOO_SLOW']);
  });

  test('whose client leaves is not reported as a fault of the backend', async () => {
    let closed: Promise<unknown> | undefined;
    const { ask, codes } = await answering((res) => {
      closed = once(res, 'close');
      res.writeHead(200, { 'Content-Type': json }).write(large);
    });
    const leave = new AbortController();
    await ask({ signal: leave.signal });
    leave.abort();
    await closed;
    expect(codes()).toEqual([]);
  });
});
