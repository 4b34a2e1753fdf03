import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { startSite } from '../../e2e/site.ts';
import { type Attack, atMost, exactly, type Finding } from './attack.ts';
import { newcomers, percentile } from './newcomers.ts';

const longestSeconds = 15;
const beginnings = [
  '',
  'GET / HT',
  'GET / HTTP/1.1\r\nHost: a\r\nX: ',
  'POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n1',
];

async function secondsUntilClosed(sockets: readonly Socket[], startedAt: number): Promise<number> {
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  return Number(((performance.now() - startedAt) / 1000).toFixed(1));
}

/** Requests that never end. */
async function slowSenders(port: number): Promise<Finding[]> {
  const startedAt = performance.now();
  const sockets = Array.from({ length: 400 }, (_, index) => {
    const socket = connect(port, '127.0.0.1').resume();
    // The server closes it in one way or another.
    socket.on('error', () => undefined);
    socket.write(beginnings[index % beginnings.length] ?? '');
    return socket;
  });
  const drip = setInterval(() => {
    for (const [index, socket] of sockets.entries()) if (index % 4 === 2 && socket.writable) socket.write('x');
  }, 500);
  const closed = secondsUntilClosed(sockets, startedAt);
  const others = await newcomers(port, '/', 50, closed);
  clearInterval(drip);
  return [
    atMost('400 slow senders', 'seconds until all are closed', await closed, longestSeconds),
    atMost('400 slow senders', 'others: p99 ms', percentile(others.accepted, 0.99), 1_000),
    exactly('400 slow senders', 'others without answer', others.unanswered, 0),
  ];
}

/** Bytes that the kernel still buffers for the port's clients, if it shows them. */
async function heldByKernel(port: number): Promise<number> {
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '');
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address]) => address?.endsWith(local))
    .reduce((sum, [, , , , queues]) => sum + Number.parseInt(queues?.split(':')[0] ?? '0', 16), 0);
}

/** Responses that the client does not read. */
async function slowReaders(port: number): Promise<Finding[]> {
  const asked = 'GET /llms-full.txt HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100);
  const startedAt = performance.now();
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1').pause());
  // The client's end sees a reset only when it reads, so the server's end is watched in the kernel's table.
  for (const socket of sockets) socket.on('error', () => undefined).write(asked);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const before = await heldByKernel(port);
  while ((await heldByKernel(port)) > 0 && performance.now() - startedAt < 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  for (const socket of sockets) socket.destroy();
  return [
    {
      what: '50 slow readers',
      figure: 'kB in the kernel at first',
      value: Math.round(before / 1000),
      aim: '–',
      holds: true,
    },
    atMost('50 slow readers', 'seconds until the kernel has let go', seconds, longestSeconds),
  ];
}

/** Clients that send or read so slowly that they would tie up the server. */
export const slowClients: Attack = {
  name: 'slow-clients',
  async run() {
    const site = await startSite({ silent: true });
    const port = Number(new URL(site.url).port);
    try {
      return [...(await slowSenders(port)), ...(await slowReaders(port))];
    } finally {
      await site.stop();
    }
  },
};
