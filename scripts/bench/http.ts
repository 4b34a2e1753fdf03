import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { answersPerSecond } from './load.ts';

// Compares the cached page with bare node:http, turn by turn in one run: answers a second, and processor time an answer.
const connections = 32;
const roundMs = 2000;
const rounds = 7;

const portMessage = z.object({ port: z.number() });
const cpuMessage = z.object({ cpu: z.object({ user: z.number(), system: z.number() }) });

interface Server {
  child: ChildProcess;
  port: number;
}

async function startServer(kind: 'bare' | 'site'): Promise<Server> {
  const sink = openSync('/dev/null', 'w');
  const child = fork(join(import.meta.dirname, 'http-server.ts'), [kind], {
    stdio: ['ignore', sink, 'inherit', 'ipc'],
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

async function measure(server: Server, headers: string, ms: number): Promise<{ rate: number; cpu: number }> {
  const before = await cpuMicroseconds(server);
  const rate = await answersPerSecond(server.port, '/', connections, ms, headers);
  const cpu = ((await cpuMicroseconds(server)) - before) / (rate * (ms / 1000));
  return { rate, cpu };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const bare = await startServer('bare');
const site = await startServer('site');
const contests = [
  { name: 'bare node:http, 40 kB', server: bare, headers: '' },
  { name: 'cached page, 40 kB as it is', server: site, headers: '' },
  { name: 'cached page, brotli', server: site, headers: 'Accept-Encoding: gzip, deflate, br\r\n' },
].map((contest) => ({ ...contest, results: [] as { rate: number; cpu: number }[] }));

for (const { server, headers } of contests) await measure(server, headers, 1500);
for (let round = 0; round < rounds; round += 1) {
  for (const { server, headers, results } of contests) results.push(await measure(server, headers, roundMs));
}

const lines = contests.map(({ name, results }) => ({
  name,
  rate: median(results.map(({ rate }) => rate)),
  cpu: median(results.map(({ cpu }) => cpu)),
}));
for (const { name, rate, cpu } of lines) {
  const ofRate = (rate / (lines[0]?.rate ?? 1)).toFixed(2);
  const ofCpu = ((lines[0]?.cpu ?? 1) / cpu).toFixed(2);
  console.log(`${name.padEnd(30)} ${Math.round(rate)} /s (${ofRate})   ${cpu.toFixed(0)} µs of processor (${ofCpu})`);
}
bare.child.kill();
site.child.kill();
