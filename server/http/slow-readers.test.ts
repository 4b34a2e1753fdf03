import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../testing/patience.ts';
import { closeSlowReaders } from './slow-readers.ts';

const limits = { checkMs: 10, patienceMs: 1_000, minBytes: 1_000_000 };
/** More than the buffers of both ends can hold. */
const megabytes = 64;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

interface Reader {
  server: Server;
  socket: Socket;
  served: Socket;
}

/** A client that has requested a large answer and reads none of it. */
async function reader(minBytes = limits.minBytes): Promise<Reader> {
  const server = createServer((_req, res) => res.end(Buffer.alloc(megabytes * 2 ** 20)));
  closeSlowReaders(server, { ...limits, minBytes });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const [served]: Socket[] = await once(server, 'connection');
  if (!served) throw new Error('Nobody came.');
  const asked = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  return { server, socket, served };
}

/** Reads at least this many bytes, then stops again. */
async function take(socket: Socket, bytes: number): Promise<void> {
  for (let taken = 0; taken < bytes; ) {
    const chunk: unknown = socket.read();
    if (Buffer.isBuffer(chunk)) taken += chunk.length;
    else await once(socket, 'readable');
  }
}

test('a client that reads nothing is disconnected when the time limit is over', async () => {
  const { served } = await reader();
  vi.advanceTimersByTime(limits.checkMs);
  vi.advanceTimersByTime(limits.patienceMs - limits.checkMs);
  expect(served.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.checkMs);
  expect(served.destroyed).toBe(true);
});

test('a client that reads exactly the required amount stays connected', async () => {
  const { served } = await reader(0);
  for (let waited = 0; waited < 3 * limits.patienceMs; waited += limits.checkMs) vi.advanceTimersByTime(limits.checkMs);
  expect(served.destroyed).toBe(false);
});

test('a client that reads enough in time stays connected, and a new period begins', async () => {
  const { socket, served } = await reader();
  vi.advanceTimersByTime(limits.checkMs);
  // The answer is one write, which is sent in parts.
  await take(socket, (megabytes / 2) * 2 ** 20);
  vi.advanceTimersByTime(limits.patienceMs);
  expect(served.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.patienceMs - limits.checkMs);
  expect(served.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.checkMs);
  expect(served.destroyed).toBe(true);
});

test('a new period begins with each response', async () => {
  const { server, socket, served } = await reader();
  vi.advanceTimersByTime(limits.checkMs);
  socket.resume();
  await vi.waitUntil(() => served.writableLength === 0, patience);
  vi.advanceTimersByTime(limits.patienceMs);
  socket.pause();
  const asked = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  vi.advanceTimersByTime(limits.patienceMs);
  expect(served.destroyed).toBe(false);
  vi.advanceTimersByTime(limits.checkMs);
  expect(served.destroyed).toBe(true);
});

test('a closed server checks no more', async () => {
  const server = createServer();
  closeSlowReaders(server, limits);
  expect(vi.getTimerCount()).toBe(1);
  server.listen(0);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
  expect(vi.getTimerCount()).toBe(0);
});
