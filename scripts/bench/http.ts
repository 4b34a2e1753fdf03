import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Kind } from './http-server.ts';
import { answersPerSecond } from './load.ts';
import { record, round } from './record.ts';

// Compares the cached page with bare node:http, alternating in one run: responses a second, processor time a response.
const connections = 32;
const roundMs = 2000;
const rounds = 7;

const portMessage = z.object({ port: z.number() });
const cpuMessage = z.object({ cpu: z.object({ user: z.number(), system: z.number() }) });

interface Server {
  child: ChildProcess;
  port: number;
}

interface Contest {
  name: string;
  server: Server;
  path: string;
  headers: Record<string, string>;
  results: { rate: number; cpu: number }[];
}

async function startServer(kind: Kind): Promise<Server> {
  const sink = openSync('/dev/null', 'w');
  const child = fork(join(import.meta.dirname, 'http-server.ts'), [kind], {
    stdio: ['ignore', sink, 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  closeSync(sink);
  const [message] = await once(child, 'message');
  return { child, port: portMessage.parse(message).port };
}

async function cpuMicroseconds({ child }: Server): Promise<number> {
  child.send('cpu');
  const [message] = await once(child, 'message');
  const { user, system } = cpuMessage.parse(message).cpu;
  return user + system;
}

async function measure({ server, path, headers }: Contest, ms: number): Promise<{ rate: number; cpu: number }> {
  const before = await cpuMicroseconds(server);
  const rate = await answersPerSecond(server.port, path, connections, ms, headers);
  const cpu = ((await cpuMicroseconds(server)) - before) / (rate * (ms / 1000));
  return { rate, cpu };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const bare = await startServer('bare');
const stub = await startServer('stub');
const drawn = await startServer('drawn');
const contests: Contest[] = [
  { name: 'bare node:http, 40 kB', server: bare, path: '/', headers: {} },
  { name: 'cached page, 40 kB as it is', server: stub, path: '/', headers: {} },
  { name: 'cached page, brotli', server: stub, path: '/', headers: { 'Accept-Encoding': 'gzip, deflate, br' } },
  { name: 'page drawn each time', server: drawn, path: '/docs/intro/product_intro', headers: {} },
].map((contest) => ({ ...contest, results: [] }));

for (const contest of contests) await measure(contest, 1500);
for (let round = 0; round < rounds; round += 1) {
  for (const contest of contests) contest.results.push(await measure(contest, roundMs));
}

const medians = contests.map(({ name, results }) => ({
  name,
  rate: median(results.map(({ rate }) => rate)),
  cpu: median(results.map(({ cpu }) => cpu)),
}));
const [reference = { rate: Number.NaN, cpu: Number.NaN }] = medians;
await record(
  'http',
  medians.map(({ name, rate, cpu }) => ({
    answer: name,
    'per second': round(rate),
    'of bare': round(rate / reference.rate, 3),
    'processor µs': round(cpu),
    'of bare (processor)': round(reference.cpu / cpu, 3),
  })),
);
for (const { child } of [bare, stub, drawn]) child.kill();
