import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { sendRaw, statusOf } from '../testing/raw.ts';
import { drain } from './drain.ts';
import { createSiteServer } from './server.ts';

const lines: Record<string, unknown>[] = [];
const log = pino({ base: null }, { write: (text: string) => lines.push(JSON.parse(text)) });
let server: Server;

async function listen(listener: (req: IncomingMessage, res: ServerResponse) => void): Promise<number> {
  server = createSiteServer(listener, log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Resolves with what came back when the server has closed the connection. */
function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

test('400 slow connections are closed within 15 s, and others are served meanwhile', { timeout: 40_000 }, async () => {
  const port = await listen((_req, res) => res.end('here'));
  const startedAt = performance.now();
  const beginnings = [
    '',
    'GET / HT',
    'GET / HTTP/1.1\r\nHost: a\r\nX: ',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx',
  ];
  const sockets = Array.from({ length: 400 }, (_, index) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(beginnings[index % beginnings.length] ?? '');
    return socket;
  });
  // A byte now and then keeps a connection from being silent, not from being slow.
  const drip = setInterval(() => {
    for (const [index, socket] of sockets.entries()) if (index % 4 === 2 && socket.writable) socket.write('x');
  }, 500);
  const closed = Promise.all(sockets.map(untilClosed));
  expect(statusOf(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))).toBe(200);
  await closed;
  clearInterval(drip);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(lines.some(({ msg, status }) => msg === 'not a request' && status === 408)).toBe(true);
});

test('a client that does not take its answer is let go', { timeout: 40_000 }, async () => {
  const port = await listen((_req, res) => res.end(Buffer.alloc(64 * 1024 * 1024)));
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  const [served] = (await once(server, 'connection')) as [Socket];
  const startedAt = performance.now();
  await once(served, 'close');
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  socket.destroy();
});

test('what is no request has its answer after the one before it, or none', async () => {
  const port = await listen((req, res) => {
    if (req.url === '/quick') res.end('quick');
  });
  const pending = sendRaw(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n');
  expect(await pending).toBe('');
  const socket = connect(port, '127.0.0.1');
  const closed = untilClosed(socket);
  socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  socket.write('garbage\r\n\r\n');
  expect(await closed).toMatch(/^HTTP\/1.1 200 .*quickHTTP\/1.1 400 /s);
});

test('draining finishes what was started, says so to kept connections and accepts nothing new', async () => {
  let draining = false;
  const started: ServerResponse[] = [];
  const port = await listen((req, res) => {
    if (draining) res.shouldKeepAlive = false;
    if (req.url === '/slow') started.push(res);
    else res.end('quick');
  });
  const kept = connect(port, '127.0.0.1');
  const keptClosed = untilClosed(kept);
  kept.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(kept, 'data');
  const slow = sendRaw(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  const idle = connect(port, '127.0.0.1');
  const idleClosed = untilClosed(idle);
  await once(server, 'connection');

  draining = true;
  const announced = Promise.withResolvers<void>();
  const drained = drain(server, 9_000, announced.promise);
  // Whoever comes meanwhile is served, and a balancer can ask whether to send more.
  expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/Connection: close.*quick$/is);
  announced.resolve();
  kept.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await keptClosed).match(/Connection: close/gi)).toHaveLength(1);
  await idleClosed;
  const late = connect(port, '127.0.0.1');
  await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  started[0]?.writeHead(200, { Connection: 'close' }).end('done');
  expect(await slow).toContain('done');
  expect(await drained).toBe('finished');
});

test('draining does not wait for ever', async () => {
  const port = await listen(() => undefined);
  const never = sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  expect(await drain(server, 100)).toBe('cut off');
  expect(await never).toBe('');
});
