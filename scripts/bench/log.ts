import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { version } from 'pino';
import { z } from 'zod';
import type { Destination } from './log-destination.ts';
import { record, round } from './record.ts';

// Compares ways to write the log to a pipe: processor time per line, and whether the process can exit without a reader.
const rounds = 5;
const lines = 100_000;
const linesUnread = 4_000;
const endLimitMs = 5_000;

const destinations: readonly Destination[] = ['none', 'ours', 'sonic-boom', 'sonic-boom, synchronous'];

function startWriter(destination: Destination, count: number) {
  return fork(join(import.meta.dirname, 'log-destination.ts'), [destination, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Processor time per line in microseconds, with a reader that keeps up. */
async function microsecondsALine(destination: Destination): Promise<number> {
  const child = startWriter(destination, lines);
  child.stdout?.resume();
  const [message] = await once(child, 'message');
  await once(child, 'exit');
  return z.number().parse(message);
}

/** Whether the process exits although its output is not read. */
async function endsUnread(destination: Destination): Promise<boolean> {
  const child = startWriter(destination, linesUnread);
  const ended = await Promise.race([once(child, 'exit').then(() => true), delay(endLimitMs, false)]);
  child.kill('SIGKILL');
  return ended;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const results = destinations.map((destination) => ({ destination, costs: [] as number[] }));
for (let turn = 0; turn < rounds; turn += 1) {
  for (const { destination, costs } of results) costs.push(await microsecondsALine(destination));
}
const rows = [];
for (const { destination, costs } of results) {
  const unread = (await endsUnread(destination)) ? 'ends' : `hangs for ${endLimitMs / 1000} s and more`;
  rows.push({ destination, 'processor µs a line': round(median(costs), 2), 'without a reader': unread });
}
await record('log', rows, { pino: version });
