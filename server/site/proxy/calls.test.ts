import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../../client/contract/calls.ts';
import { jobCalls, openApi } from '../../../client/contract/jobs/calls.ts';
import { createPublicServer } from '../../http/server.ts';
import { freePort } from '../../testing/free-port.ts';
import { stubServices } from '../../testing/stub-services.ts';
import { startUpstream, type Upstream } from '../../testing/upstream.ts';
import type { Fault } from '../../testing/upstream-faults.ts';
import { createApp } from '../app.ts';
import { siteLimits } from '../limits.ts';
import type { SiteServices } from '../services.ts';
import { BackendError } from './errors.ts';

let upstream: Upstream;
let site: http.Server;
let services: ReturnType<typeof stubServices>;
/** No call is ended because of its age, however starved the machine is. */
const patient = { ...siteLimits, callMs: 600_000 };

beforeAll(async () => {
  upstream = await startUpstream();
  services = stubServices({ API_BASE_URL: upstream.url }, { limits: patient });
  site = createPublicServer(createApp(services).listener, { log: services.log });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await upstream.close();
});

function siteWith(changes: Partial<SiteServices>) {
  const stub = stubServices({ API_BASE_URL: upstream.url }, changes);
  return request(http.createServer(createApp(stub).listener));
}

/** Sends kilobytes of a string in chunks, without its end until asked. */
async function sendChunked(server: http.Server, kilobytes: number) {
  const { port } = server.address() as AddressInfo;
  const headers = { 'Content-Type': 'application/json' };
  const call = http.request({ port, path: calls.login, method: 'POST', headers });
  call.on('error', () => undefined);
  for (let sent = 0; sent < kilobytes; sent += 1) call.write('"'.padEnd(1024, 'x'));
  const status = once(call, 'response').then(([response]: http.IncomingMessage[]) => response?.resume().statusCode);
  return { status, end: () => call.end() };
}

const post = (path: string) => request(site).post(path);
const ask = (fault: Fault, path: string = calls.login) => post(path).send({ fault });

describe('forwarded calls', () => {
  test.each(Object.values(calls))('%s reaches the backend under its own path', async (path) => {
    const { status, body, headers } = await post(path).send({ a: 1 });
    expect([status, body.success, headers['cache-control']]).toEqual([200, true, 'no-store']);
    expect(upstream.seen.at(-1)).toMatchObject({ method: 'POST', url: path, body: '{"a":1}' });
  });

  test('a browser at an address that is not known as the site’s own is named once, unless PUBLIC_URL is set', async () => {
    const told = async (env: Record<string, string>, ...origins: string[]) => {
      const stub = stubServices({ API_BASE_URL: upstream.url, ...env });
      const visited = http.createServer(createApp(stub).listener);
      for (const origin of origins) await request(visited).post(calls.logout).set('Origin', origin);
      return stub.logged.filter(({ level }) => level === 40);
    };
    const own = ['http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'null', 'nonsense'];
    expect(await told({}, ...own)).toEqual([]);
    const [visited, other] = ['https://www.site.example', 'https://other.example'];
    expect(await told({}, visited, other, visited)).toMatchObject([
      { origin: visited, msg: expect.stringMatching(/^PUBLIC_URL is not set, .* lead to http:\/\/localhost:3000:/) },
    ]);
    expect(await told({ PUBLIC_URL: 'https://site.example' }, visited)).toEqual([]);
  });

  test('a call without a body is forwarded without one', async () => {
    expect((await post(calls.logout)).status).toBe(200);
    expect(upstream.seen.at(-1)).toMatchObject({ body: '', headers: { 'content-length': '0' } });
    expect(upstream.seen.at(-1)?.headers['content-type']).toBeUndefined();
  });

  test('only allowed headers are forwarded', async () => {
    const { headers } = await post(calls.auth)
      .set({
        Authorization: 'Bearer t',
        Cookie: 'c=1',
        'Accept-Language': 'en',
        'User-Agent': 'test',
        'Idempotency-Key': 'k',
        'X-Forwarded-For': '6.6.6.6',
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'for=6.6.6.6',
        'X-Request-Id': 'mine',
        'X-Custom': 'no',
        TE: 'trailers',
      })
      .send({});
    const sent = upstream.seen.at(-1)?.headers ?? {};
    expect(Object.keys(sent).sort()).toEqual([
      'accept',
      'accept-encoding',
      'accept-language',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'cookie',
      'host',
      'idempotency-key',
      'user-agent',
      'x-forwarded-for',
      'x-request-id',
    ]);
    expect(sent['x-forwarded-for']).toBe('127.0.0.1');
    expect(sent['x-request-id']).toBe(headers['x-request-id']);
    expect(sent.host).toBe(new URL(upstream.url).host);
  });

  test.each([
    ['named by a trusted proxy', 'loopback', '9.9.9.9', '9.9.9.9'],
    ['named by the client itself is ignored', 'loopback', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
    ['named through several trusted proxies', 'loopback,10.0.0.0/8', '9.9.9.9, 10.1.1.1', '9.9.9.9'],
    ['IPv6 behind an IPv4 proxy', '127.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['invalid', 'loopback', 'unknown', '127.0.0.1'],
    ['named by an untrusted proxy is ignored', '10.0.0.0/8', '9.9.9.9', '127.0.0.1'],
  ])("the visitor's address: %s", async (_name, proxies, forwarded, address) => {
    const stub = stubServices({ API_BASE_URL: upstream.url, TRUSTED_PROXIES: proxies });
    const server = http.createServer(createApp(stub).listener);
    await request(server).post(calls.auth).set('X-Forwarded-For', forwarded).send({});
    expect(upstream.seen.at(-1)?.headers['x-forwarded-for']).toBe(address);
  });

  test('a refusal is returned unchanged, with its cookies', async () => {
    const { status, body, headers } = await ask('refusal');
    expect([status, body]).toEqual([400, { success: false, code: 'X', msg: 'No.' }]);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(headers['retry-after']).toBe('7');
    expect(headers['content-security-policy']).toBeDefined();
  });

  test('401 is returned without making the browser ask for a password', async () => {
    const { status, headers } = await ask('signedOut');
    expect([status, headers['www-authenticate']]).toEqual([401, undefined]);
  });

  test('204 stays empty', async () => {
    const { status, headers, text } = await ask('empty');
    expect([status, text, headers['x-internal']]).toEqual([204, '', undefined]);
  });
});

describe.each([calls.login, jobCalls.listJobs, jobCalls.createPractice])('upstream faults of %s', (path) => {
  const table: [Fault, number, string][] = [
    ['reset', 502, 'BACKEND_UNREACHABLE'],
    ['closed', 502, 'BACKEND_UNREACHABLE'],
    ['half', 502, 'BACKEND_UNREACHABLE'],
    ['halfChunked', 502, 'BACKEND_UNREACHABLE'],
    ['garbage', 502, 'BACKEND_BAD_ANSWER'],
    ['html', 502, 'BACKEND_BAD_ANSWER'],
    ['brokenJson', 502, 'BACKEND_BAD_ANSWER'],
    ['notUtf8', 502, 'BACKEND_BAD_ANSWER'],
    ['emptyOk', 502, 'BACKEND_BAD_ANSWER'],
    ['zipped', 502, 'BACKEND_BAD_ANSWER'],
    ['redirect', 502, 'BACKEND_BAD_ANSWER'],
    ['failing', 502, 'BACKEND_FAILED'],
    ['notImplemented', 502, 'BACKEND_FAILED'],
    ['talkative', 502, 'BACKEND_FAILED'],
    ['busy', 503, 'BACKEND_BUSY'],
    ['tooSlow', 504, 'BACKEND_TOO_SLOW'],
  ];

  test.each(table)('%s answers %i %s in the envelope', async (fault, status, code) => {
    const before = upstream.seen.length;
    const answer = await ask(fault, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      success: false,
      code,
      msg: expect.any(String),
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.text).not.toContain('secret');
    expect(upstream.seen.length - before).toBe(1);
    if (status === 503) expect(answer.headers['retry-after']).toBe('9');
  });

  test('a failure that the backend names is forwarded unchanged', async () => {
    const { status, body, headers } = await ask('paymentFailed', path);
    const named = { success: false, code: 'PAYMENT_FAILED', msg: 'No payment.', requestId: 'r' };
    expect([status, body, headers['retry-after']]).toEqual([502, named, '7']);
  });

  test('silent and endless responses are cut off, while pages are served', async () => {
    // The browser gives up after 10 s.
    expect(siteLimits.callMs).toBeLessThan(10_000);
    const client = siteWith({ limits: { ...siteLimits, callMs: 2_000 } });
    const arrived = upstream.next();
    const cut = Promise.all([
      client.post(path).send({ fault: 'silent' }),
      client.post(path).send({ fault: 'endless' }),
    ]);
    await arrived;
    expect((await client.get('/why')).status).toBe(200);
    for (const { status, body } of await cut) expect([status, body.code]).toEqual([504, 'BACKEND_TOO_SLOW']);
  });

  test('a waiting call is answered with 503 when the server is about to stop', async () => {
    const lastCall = new AbortController();
    const client = siteWith({ limits: patient, lastCall: lastCall.signal });
    const arrived = upstream.next();
    const call = client
      .post(path)
      .send({ fault: 'silent' })
      .then((answer) => answer);
    const { gone } = await arrived;
    lastCall.abort(new BackendError('RESTARTING'));
    const { status, body, headers } = await call;
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'RESTARTING', '2']);
    await gone;
    // The same holds for a later call.
    expect((await client.post(path).send({ fault: 'silent' })).body.code).toBe('RESTARTING');
  });

  test('a refused connection answers 502', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const client = request(http.createServer(createApp(stubServices({ API_BASE_URL: nobody })).listener));
    const { status, body } = await client.post(path).send({});
    expect([status, body.code]).toEqual([502, 'BACKEND_UNREACHABLE']);
  });

  test('a client that leaves aborts the upstream call', async () => {
    const arrived = upstream.next();
    const { port } = site.address() as AddressInfo;
    const call = http.request({
      port,
      path,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    });
    call.on('error', () => undefined);
    call.end('{"fault":"silent"}');
    const { gone } = await arrived;
    call.destroy();
    await gone;
  });
});

test('a response larger than 4 MB is a bad answer', async () => {
  const { status, body } = await ask('huge');
  expect([status, body.code]).toEqual([502, 'BACKEND_BAD_ANSWER']);
});

describe('requests that do not reach the backend', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const json = 'application/json';

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=1', 415],
    ['plain text', 'text/plain', '{}', 415],
    ['another charset', 'application/json; charset=utf-16', '{}', 415],
    ['another JSON type', 'application/ld+json', '{}', 415],
    ['too many bytes', json, JSON.stringify({ a: 'x'.repeat(32 * 1024) }), 413],
    ['too deep JSON', json, deep(11), 400],
    ['far too deep JSON', json, deep(16_000), 400],
    ['an incomplete body', json, '{"a":', 400],
    ['two values', json, '{}{}', 400],
    ['a byte order mark', json, '\ufeff{}', 400],
    ['brackets in a string are forwarded', json, `{"a":"${'['.repeat(50)}\\"${'{'.repeat(50)}"}`, 200],
    ['JSON of the maximum depth is forwarded', json, deep(10), 200],
  ])('%s', async (_name, type, body, status) => {
    const before = upstream.seen.length;
    const answer = await post(calls.register).set('Content-Type', type).send(body);
    expect(answer.status).toBe(status);
    expect(upstream.seen.length - before).toBe(status === 200 ? 1 : 0);
    if (status !== 200)
      expect(answer.body).toMatchObject({ success: false, requestId: answer.headers['x-request-id'] });
  });

  test('a compressed body', async () => {
    const answer = await post(calls.register).set('Content-Encoding', 'gzip').set('Content-Type', json).send('{}');
    expect([answer.status, answer.body.code]).toEqual([415, 'COMPRESSED_BODY']);
  });

  test('bytes that are not UTF-8', async () => {
    const { port } = site.address() as AddressInfo;
    const call = http.request({ port, path: calls.login, method: 'POST', headers: { 'Content-Type': json } });
    call.end(Buffer.from([0x22, 0xc0, 0x80, 0x22]));
    const [response] = (await once(call, 'response')) as [http.IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(400);
  });

  test('a chunked body of more than 32 kB', async () => {
    const { status, end } = await sendChunked(site, 40);
    end();
    expect(await status).toBe(413);
  });

  test('a body whose client leaves midway', async () => {
    const before = [upstream.seen.length, services.logged.length] as const;
    const arrived = once(site, 'request');
    const call = http.request({
      port: (site.address() as AddressInfo).port,
      path: calls.login,
      method: 'POST',
      headers: { 'Content-Type': json, 'Content-Length': '9' },
    });
    call.on('error', () => undefined);
    call.write('{');
    await arrived;
    call.destroy();
    const lines = () => services.logged.slice(before[1]);
    await expect.poll(lines).toContainEqual(expect.objectContaining({ msg: 'request', status: 499 }));
    // Nor is it reported a second time as a malformed request.
    expect(lines().filter(({ level, msg }) => Number(level) > 30 || msg !== 'request')).toEqual([]);
    expect(upstream.seen.length).toBe(before[0]);
  });

  test('a body that does not end in time', async () => {
    const stub = stubServices({ API_BASE_URL: upstream.url }, { limits: { ...siteLimits, callMs: 2_000 } });
    const server = http.createServer(createApp(stub).listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { status, end } = await sendChunked(server, 1);
    expect(await status).toBe(408);
    end();
    server.close();
  });

  test('an unknown call', async () => {
    const { status, body } = await post('/rdp/console/api/v1/nothing').send({});
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await post('/Login').send({})).status).toBe(405);
  });

  test('GET of a call that is also a page returns the page', async () => {
    expect((await request(site).get(calls.login)).headers['content-type']).toContain('text/html');
  });
});

test('calls above the limit are refused at once', async () => {
  const client = siteWith({ limits: { ...patient, callsRunning: 2 } });
  const underway: Promise<unknown>[] = [];
  for (let count = 0; count < 2; count += 1) {
    const arrived = upstream.next();
    underway.push(
      client
        .post(calls.login)
        .send({ fault: 'slow' })
        .then(({ status }) => status),
    );
    await arrived;
  }
  const { status, headers, body } = await client.post(calls.login).send({});
  expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'OVERLOADED']);
  upstream.release();
  expect(await Promise.all(underway)).toEqual([200, 200]);
  expect((await client.post(calls.login).send({})).status).toBe(200);
});

describe('job calls', () => {
  test.each([
    `${openApi}/datajob/list`,
    `${openApi}/no/suchcall`,
    jobCalls.createPractice,
    jobCalls.pauseTable,
    jobCalls.listApiKeys,
  ])('%s reaches the backend with its query, key and a large body', async (path) => {
    const body = JSON.stringify({ a: 'x'.repeat(500_000) });
    const answer = await post(`${path}?AccessKeyId=a&Signature=b%2Bc`)
      .set('Authorization', 'Bearer a.b')
      .set('Content-Type', 'application/json')
      .send(body);
    expect(answer.status).toBe(200);
    expect(upstream.seen.at(-1)).toMatchObject({ method: 'POST', url: `${path}?AccessKeyId=a&Signature=b%2Bc`, body });
  });

  test('a body over a megabyte is refused by the site', async () => {
    const answer = await post(`${openApi}/datajob/list`)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify({ a: 'x'.repeat(1_100_000) }));
    expect([answer.status, answer.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(answer.body.msg).toContain('1048576 bytes');
  });

  test.each([
    ['a key', '', 'Bearer a.b'],
    ['a signature', '?AccessKeyId=a&Signature=b', ''],
  ])('a body over a megabyte with %s is refused in the envelope of keys', async (_with, query, authorization) => {
    const answer = await post(`${openApi}/datajob/list${query}`)
      .set('Authorization', authorization)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify({ a: 'x'.repeat(1_100_000) }));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({
      requestId: expect.any(String),
      code: '0',
      msg: 'The body is too large: at most 1048576 bytes are accepted.',
      data: null,
      success: false,
    });
  });

  test('a compressed body is refused by the site', async () => {
    const before = upstream.seen.length;
    const answer = await post(`${openApi}/datajob/list`)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .send('{}');
    expect([answer.status, answer.body.code]).toEqual([415, 'COMPRESSED_BODY']);
    expect(upstream.seen.length).toBe(before);
  });

  test('other addresses below them are not calls', async () => {
    expect((await post('/cloudcanal/console/api/v1/inner/else/list').send({})).status).toBe(404);
    expect((await post('/cloudcanal/console/api/v1/openapi/').send({})).status).toBe(404);
  });
});
