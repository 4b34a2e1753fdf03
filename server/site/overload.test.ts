import { once } from 'node:events';
import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import request from 'supertest';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPublicServer } from '../http/server.ts';
import { connectFrom } from '../testing/connect-from.ts';
import { sendInProcess } from '../testing/raw.ts';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import { siteLimits } from './limits.ts';

/** A site that renders unknown pages one at a time, when the test says so, while one more waits. */
async function busySite(changes: Partial<typeof siteLimits> = {}) {
  const held = Promise.withResolvers<void>();
  const rendering = Promise.withResolvers<void>();
  const limits = { ...siteLimits, running: 1, waiting: 1, waitMs: 600_000, taskMs: 600_000, ...changes };
  const services = stubServices(
    { TRUSTED_PROXIES: 'loopback' },
    {
      limits,
      render: async ({ status }) => {
        if (status === 404) {
          rendering.resolve();
          await held.promise;
        }
        return { status, html: 'page' };
      },
    },
  );
  const server = createServer(createApp(services).listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = (path: string) => request(server).get(path);
  const busy = [get('/one').then(({ status }) => status), get('/two').then(({ status }) => status)];
  await rendering.promise;
  return { get, busy, release: held.resolve, services };
}

test('excess requests are refused with 503 and Retry-After, everything else is served', async () => {
  const { get, busy, release } = await busySite();
  // The second waits; it has its slot before the third comes.
  await get('/healthz');
  const refused = await get('/three');
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
  for (const path of ['/healthz', '/readyz', '/why', '/why', '/favicon.svg', '/docs'])
    expect((await get(path)).status, path).toBeLessThan(400);
  release();
  expect(await Promise.all(busy)).toEqual([404, 404]);
});

test('a page that never finishes is abandoned and logged, and delays no other', async () => {
  const { get, busy, services } = await busySite({ taskMs: 1 });
  expect(await Promise.all(busy)).toEqual([503, 503]);
  expect((await get('/why')).status).toBe(200);
  expect(services.logged.filter(({ code }) => code === 'TIMED_OUT')).toMatchObject([
    { level: 50, route: '(not found)' },
    { level: 50, route: '(not found)' },
  ]);
});

test('requests per minute are limited by address, except health checks and local requests', async () => {
  // The minute lasts as long as a starved machine needs.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const services = stubServices({ TRUSTED_PROXIES: 'loopback', MAX_REQUESTS_PER_MINUTE: '2' });
  const client = request(createServer(createApp(services).listener));
  const from = (address: string, path = '/why') => client.get(path).set('X-Forwarded-For', address);
  const statuses = async (...requests: ReturnType<typeof from>[]) =>
    (await Promise.all(requests)).map(({ status }) => status);
  for (const path of ['/why', '/nowhere']) await from('192.0.2.1', path);
  const refused = await from('192.0.2.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['content-security-policy']).toContain("default-src 'none'");
  const call = await client.post('/logout').set('X-Forwarded-For', '192.0.2.1');
  expect([call.status, call.body]).toEqual([
    429,
    { success: false, code: 'TOO_MANY_REQUESTS', msg: expect.any(String), requestId: call.headers['x-request-id'] },
  ]);
  expect(await statuses(from('192.0.2.1', '/healthz'), from('192.0.2.2'))).toEqual([200, 200]);
  const own = Array.from({ length: 5 }, () => client.get('/why'));
  expect(new Set(await statuses(...own))).toEqual(new Set([200]));
  const lines = services.logged.filter(({ status }) => status === 429);
  expect(lines).toMatchObject([
    { route: 'refused', method: 'GET' },
    { route: 'refused', method: 'POST' },
  ]);
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

test('in a queue of requests, health checks come first and clients that left are skipped', async () => {
  const many = 400;
  const services = stubServices();
  const server = createServer(createApp(services).listener);
  const answers = Array.from({ length: many }, () => sendInProcess(server, get('/docs')));
  const [client, served] = duplexPair();
  server.emit('connection', served);
  const arrived = new Promise((resolve) =>
    server.on('request', (req) => {
      if (req.url !== '/why') return;
      // It is waiting for its turn by now.
      served.destroy();
      resolve(undefined);
    }),
  );
  client.write(get('/why'));
  answers.push(sendInProcess(server, get('/healthz')));
  await Promise.all([arrived, ...answers]);
  const lines = services.logged.filter(({ msg }) => msg === 'request');
  expect(lines.findIndex(({ route }) => route === '/healthz')).toBeLessThan(many / 2);
  expect(lines.find(({ status }) => status === 499)).toBeDefined();
  expect(services.renders).not.toContain('/why');
});

test('connections above the limit per address are refused', async () => {
  const services = stubServices();
  const server = createPublicServer(createApp(services).listener, {
    log: services.log,
    perAddress: { most: 1, isProxy: () => false },
  });
  const first = connectFrom(server, '192.0.2.1');
  const second = connectFrom(server, '192.0.2.1');
  expect(await second.ask('/why')).toMatch(/^HTTP\/1.1 429 [\s\S]*Retry-After: 10\r\n/);
  expect(await first.ask('/why')).toMatch(/^HTTP\/1.1 200 /);
  for (const connection of [first, second]) await connection.close();
});
