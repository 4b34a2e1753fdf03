import { createServer, type Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectFrom } from '../testing/connect-from.ts';
import { checkConnection, limitConnections } from './connection-limit.ts';
import { toAppError } from './errors.ts';
import { sendError } from './send-error.ts';

const logged: Record<string, unknown>[] = [];
const log = pino({ base: null }, { write: (text: string) => logged.push(JSON.parse(text)) });
const proxy = '198.51.100.1';

function serverFor(most: number): Server {
  const server = createServer((req, res) => {
    try {
      checkConnection(req);
      res.end('here');
    } catch (error) {
      sendError(res, toAppError(error), 'id', 'page');
    }
  });
  limitConnections(server, { most, isProxy: (address) => address === proxy }, log);
  return server;
}

test('connections above the limit are answered with 429 and closed', async () => {
  const server = serverFor(2);
  const first = connectFrom(server, '192.0.2.1');
  const second = connectFrom(server, '192.0.2.1');
  const third = connectFrom(server, '192.0.2.1');
  expect(await third.ask()).toMatch(/^HTTP\/1.1 429 [\s\S]*Connection: close\r\nRetry-After: 10\r\n/);
  for (const kept of [first, second]) expect(await kept.ask()).toMatch(/^HTTP\/1.1 200 /);
  expect(await connectFrom(server, '192.0.2.2').ask()).toMatch(/^HTTP\/1.1 200 /);
  for (const closed of [first, third]) await closed.close();
  expect(await connectFrom(server, '192.0.2.1').ask()).toMatch(/^HTTP\/1.1 200 /);
});

test('a closed connection makes room for exactly one', async () => {
  const server = serverFor(2);
  const [first] = [connectFrom(server, '192.0.2.1'), connectFrom(server, '192.0.2.1')];
  await first.close();
  expect(await connectFrom(server, '192.0.2.1').ask()).toMatch(/^HTTP\/1.1 200 /);
  expect(await connectFrom(server, '192.0.2.1').ask()).toMatch(/^HTTP\/1.1 429 /);
});

/** Bytes in use after a forced collection. */
function bytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

test('an address without connections uses no memory', async () => {
  const server = serverFor(1);
  // Longer than any real one, so a leak of a few hundred is clearly visible.
  const long = 50_000;
  const addresses = 500;
  const before = bytes();
  for (let index = 0; index < addresses; index += 1) await connectFrom(server, `${index}:`.padEnd(long, 'x')).close();
  expect(bytes() - before).toBeLessThan((addresses * long) / 2);
});

test('connections far above the limit are reset and counted in one log line', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = serverFor(1);
  const connections = Array.from({ length: 4 }, () => connectFrom(server, '192.0.2.1'));
  expect(connections.map(({ served }) => served.destroyed)).toEqual([false, false, true, true]);
  vi.advanceTimersByTime(60_000);
  const msg = 'connections were reset: too many from one network';
  expect(logged).toMatchObject([{ level: 40, count: 2, msg }]);
});

test.each([
  ['from a trusted proxy', 1, proxy],
  ['from this machine', 1, '127.0.0.1'],
  ['without a limit', 0, '192.0.2.1'],
])('connections %s are not counted', async (_name, most, address) => {
  const server = serverFor(most);
  const connections = Array.from({ length: 5 }, () => connectFrom(server, address));
  expect(await connections.at(-1)?.ask()).toMatch(/^HTTP\/1.1 200 /);
});
