import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPublicServer, publicLimits } from '../http/server.ts';
import { sendInProcess, sendRaw, statusOf } from '../testing/raw.ts';
import { generateRequest, seeded } from '../testing/request-grammar.ts';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import { siteLimits } from './limits.ts';

let server: Server;
let port: number;
/** Generated requests that never end are cut off early, so the test does not wait for them. */
let hasty: Server;
let hastyPort: number;
let services: ReturnType<typeof stubServices>;

beforeAll(async () => {
  // A port where nothing listens: calls are answered with 502 in the envelope, everything else never with 5xx.
  const env = { API_BASE_URL: 'http://127.0.0.1:9', PUBLIC_URL: 'https://site.example' };
  // No request is rejected, however slow the machine is.
  services = stubServices(env, { limits: { ...siteLimits, waiting: 10_000, waitMs: 600_000 } });
  const { listener } = createApp(services);
  const listen = async (limits: Partial<typeof publicLimits>) => {
    const options = { log: services.log, https: true, limits: { ...publicLimits, ...limits } };
    const listening = createPublicServer(listener, options).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return [listening, (listening.address() as AddressInfo).port] as const;
  };
  [server, port] = await listen({ headersTimeout: 600_000, requestTimeout: 600_000 });
  [hasty, hastyPort] = await listen({ headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 100 });
});

afterAll(() => {
  for (const one of [server, hasty]) {
    one.closeAllConnections();
    one.close();
  }
});

const get = (target: string, headers = 'Host: localhost') =>
  sendRaw(port, `GET ${target} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);

describe('bad requests', () => {
  test.each([
    ['a malformed escape', '/%zz', 400],
    ['an incomplete escape', '/why%', 400],
    ['overlong UTF-8', '/%c0%ae%c0%ae/etc/passwd', 400],
    ['raw UTF-8', '/café', 400],
    ['NUL', '/why%00.html', 400],
    ['a line break', '/why%0d%0aSet-Cookie:%20a=1', 400],
    ['..', '/../../etc/passwd', 400],
    ['.. within the path', '/docs/../../etc/passwd', 400],
    ['encoded ..', '/%2e%2e/%2e%2e/etc/passwd', 400],
    ['doubly encoded ..', '/%252e%252e/etc/passwd', 404],
    ['an encoded slash', '/..%2f..%2fetc/passwd', 400],
    ['a backslash', '/..\\..\\windows', 400],
    ['an encoded backslash', '/%5c%5cevil.example/', 400],
    ['absolute form with a user', 'http://user@evil.example/', 400],
    ['absolute form of another scheme', 'file:///etc/passwd', 400],
    ['more than 8 kB', `/${'a'.repeat(9000)}`, 414],
    ['more than the header limit', `/${'a'.repeat(20_000)}`, 431],
    ['a star', '*', 400],
    ['a page in another case', '/Why', 404],
    ['a name of Object.prototype', '/constructor', 404],
    ['__proto__', '/__proto__', 404],
    ['a folder of built files', '/assets', 404],
    ['an unknown built file', '/assets/nothing.js', 404],
  ])('%s', async (_name, target, status) => {
    const answer = await get(target);
    expect(statusOf(answer)).toBe(status);
    expect(answer).toMatch(/X-Request-Id: \S+/i);
    expect(answer).toMatch(/Content-Security-Policy: default-src 'none'/i);
    expect(answer).toMatch(/X-Content-Type-Options: nosniff/i);
    expect(answer).toMatch(/Strict-Transport-Security: max-age=63072000/i);
    if (status !== 404) expect(answer).toMatch(/Cache-Control: no-store/i);
  });

  test.each([
    ['no Host', 'X: y', 400],
    ['two Hosts', 'Host: localhost\r\nHost: localhost', 400],
    ['an empty Host', 'Host:', 400],
    ['a Host with a path', 'Host: a/b', 400],
    ['a Host with a user', 'Host: user@a', 400],
    ['a Host with a space', 'Host: a b', 400],
    ['a Host with a wrong port', 'Host: a:port', 400],
    ['an unknown expectation', 'Host: localhost\r\nExpect: wonders', 200],
    ['an unknown Host', 'Host: evil.example', 200],
    ['a header whose name has the length of Host', 'Host: a\r\nDate: x', 200],
    ['a Host that is an address', 'Host: [::1]:3000', 200],
    ['a chunked body', 'Host: a\r\nTransfer-Encoding: Chunked', 200],
    ['a compressed chunked body', 'Host: a\r\nTransfer-Encoding: gzip, chunked', 501],
    ['a compressed chunked body, written without a space', 'Host: a\r\nTransfer-Encoding: gzip,chunked', 501],
    [
      'a compressed chunked body, written on two lines',
      'Host: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked',
      501,
    ],
    ['an unknown transfer coding', 'Host: a\r\nTransfer-Encoding: x', 400],
    ['an unknown transfer coding that begins with chunked', 'Host: a\r\nTransfer-Encoding: chunkedly', 400],
    ['a transfer coding after chunked', 'Host: a\r\nTransfer-Encoding: chunked, gzip', 400],
  ])('%s', async (_name, headers, status) => {
    const answer = await get('/why', headers);
    expect(statusOf(answer)).toBe(status);
    const [, id] = /X-Request-Id: (\S+)/i.exec(answer) ?? [];
    expect(services.logged.find((line) => line.id === id)).toMatchObject({
      method: expect.any(String),
      route: expect.any(String),
      status,
      ms: expect.any(Number),
      bytes: expect.any(Number),
    });
    if (status === 501) expect(answer).toMatch(/Connection: close/);
    // The same when the page comes from the cache.
    expect(statusOf(await get('/why', headers))).toBe(status);
    expect(answer).not.toContain('evil.example');
  });

  test.each(['HTTP/2.0', 'HTTP/0.9'])('the version %s is refused and its connection closed', async (version) => {
    const answer = await sendRaw(port, `GET /why ${version}\r\nHost: a\r\nConnection: keep-alive\r\n\r\n`);
    expect(statusOf(answer)).toBe(505);
    expect(answer).toMatch(/Connection: close/);
  });

  test('an HTTP/1.0 request needs no Host', async () => {
    expect(statusOf(await sendRaw(port, 'GET /why HTTP/1.0\r\n\r\n'))).toBe(200);
    expect(statusOf(await sendRaw(port, 'GET /why HTTP/1.1\r\nConnection: close\r\n\r\n'))).toBe(400);
  });

  test('two body lengths, nameless headers and TLS bytes are refused with 400', async () => {
    const both = 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    const answer = await sendRaw(port, both);
    expect(statusOf(answer)).toBe(400);
    const [, id] = /X-Request-Id: (\S+)/i.exec(answer) ?? [];
    const line = services.logged.find((logged) => logged.id === id);
    expect(line).toMatchObject({ method: '', route: 'refused', status: 400, ms: 0, bytes: 0 });
    expect(statusOf(await get('/why', 'Host: a\r\n: x'))).toBe(400);
    expect(statusOf(await sendRaw(port, '\x16\x03\x01\x02\x00\x01\x00\x01'))).toBe(400);
  });
});

test.each([
  ['/why', 'http://evil.example/why'],
  ['/nowhere', 'http://evil.example/nowhere'],
  ['/docs', 'http://evil.example/docs?a=http://evil.example'],
])('%s is answered in absolute form, too', async (path, target) => {
  const plain = statusOf(await get(path));
  const answer = await get(target);
  expect(statusOf(answer)).toBe(plain);
  expect(statusOf(await get(target))).toBe(plain);
  expect(answer.replace('?a=http://evil.example', '')).not.toContain('evil.example');
});

describe('generated requests', () => {
  const seed = Number(process.env.FUZZ_SEED ?? 20_240);
  const clients = 60;
  const total = Number(process.env.FUZZ_REQUESTS ?? 100_000);

  test.each([
    ['over the network', 1_000, (bytes: Buffer) => sendRaw(hastyPort, bytes)],
    ['in the process', total, (bytes: Buffer) => sendInProcess(hasty, bytes)],
  ])('%s: all are answered, and none with a server error', { timeout: 1_800_000 }, async (_name, count, send) => {
    const random = seeded(seed);
    const statuses = new Map<number, number>();
    const failed: string[] = [];
    let sent = 0;

    async function client(): Promise<void> {
      while (sent < count) {
        sent += 1;
        const request = generateRequest(random);
        const answer = await send(Buffer.from(request)).catch((error: unknown) => String(error));
        const status = statusOf(answer);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Calls have no backend here, and report that; 501 and 505 are faults of the request.
        const told = status === 501 || status === 505 || /"code":"BACKEND_(?:UNREACHABLE|TOO_SLOW)"/.test(answer);
        if ((status >= 500 && !told) || answer.startsWith('Error'))
          failed.push(`${status} ${answer.slice(-150)} ← ${request.slice(0, 300)}`);
      }
    }

    await Promise.all(Array.from({ length: clients }, client));
    expect(failed, `seed ${seed}`).toEqual([]);
    expect(statuses.get(200), 'enough requests are good ones').toBeGreaterThan(count / 50);
    const errors = services.logged.filter(
      ({ level, code }) => Number(level) >= 50 && !String(code).startsWith('BACKEND_'),
    );
    expect(errors).toEqual([]);
  });
});
