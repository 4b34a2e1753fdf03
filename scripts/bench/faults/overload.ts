import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { startSite } from '../../e2e/site.ts';
import { type Attack, atMost, exactly, type Finding } from './attack.ts';
import { newcomers, percentile } from './newcomers.ts';

const seconds = 10;
const longestMs = 1_000;
const longestHealthMs = 100;

const mixed = [
  '/',
  '/docs/intro/product_intro',
  '/blog',
  '/why?#',
  '/nowhere#',
  '/search?q=row+#',
  '/search.json?q=row+#',
];
const storms = [
  { name: '200 connections, not found', connections: 200, paths: ['/nowhere#'] },
  { name: '2,000 connections, one page', connections: 2_000, paths: ['/'] },
  { name: '2,000 connections, not found', connections: 2_000, paths: ['/nowhere#'] },
  { name: '2,000 connections, mixed', connections: 2_000, paths: mixed },
];

const result = z.object({
  statuses: z.record(z.string(), z.number()),
  refusedWithout: z.number(),
  errors: z.number(),
  timeouts: z.number(),
  p99: z.number(),
});

const listening = z.object({ port: z.number() });

interface Storm {
  connections: number;
  paths: readonly string[];
  headers?: Record<string, string>;
}

async function blow(url: string, storm: Storm): Promise<z.infer<typeof result>> {
  const child = fork(join(import.meta.dirname, 'storm.ts'), [JSON.stringify({ url, seconds, ...storm })]);
  const [message] = await once(child, 'message');
  return result.parse(message);
}

async function withstand(url: string, name: string, storm: Storm): Promise<Finding[]> {
  const port = Number(new URL(url).port);
  const blowing = blow(url, storm);
  const [came, health, page] = await Promise.all([
    blowing,
    newcomers(port, '/healthz', 50, blowing),
    newcomers(port, '/pricing', 50, blowing),
  ]);
  const { 429: _none, 503: refused = 0, ...others } = came.statuses;
  const accepted = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    { what: name, figure: 'accepted, refused', value: `${accepted}, ${refused}`, aim: '–', holds: accepted > 0 },
    exactly(name, 'without answer', came.errors + came.timeouts + health.unanswered + page.unanswered, 0),
    exactly(name, 'refused without Retry-After', came.refusedWithout, 0),
    atMost(name, 'accepted, kept connections: p99 ms', came.p99, longestMs),
    atMost(name, 'accepted, newcomers: p99 ms', percentile(page.accepted, 0.99), longestMs),
    atMost(name, '/healthz, newcomers: p99 ms', percentile(health.accepted, 0.99), longestHealthMs),
  ];
}

/** The same number of connections on bare node:http on this machine, which refuses none and renders nothing. */
async function measureBare(): Promise<Finding[]> {
  const child = fork(join(import.meta.dirname, '../http-server.ts'), ['bare'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const [message] = await once(child, 'message');
    const { port } = listening.parse(message);
    const storm = { connections: 2_000, paths: ['/'] };
    const findings = await withstand(`http://127.0.0.1:${port}`, '2,000 connections, bare node:http', storm);
    return findings.map((finding) => ({ ...finding, aim: '–', holds: true }));
  } finally {
    child.kill();
  }
}

/** One address exceeds its limit. */
async function limitOneAddress(url: string): Promise<Finding[]> {
  const { statuses, refusedWithout } = await blow(url, {
    connections: 20,
    paths: ['/'],
    headers: { 'X-Forwarded-For': '192.0.2.1' },
  });
  return [
    exactly('one address', 'answers within the minute', statuses[200] ?? 0, 6_000),
    exactly('one address', 'refused without Retry-After', refusedWithout, 0),
  ];
}

/** More requests than the site can answer: accepted ones are served soon, the rest get Retry-After. */
export const overload: Attack = {
  name: 'overload',
  async run() {
    const findings = await measureBare();
    const site = await startSite({ silent: true, env: { TRUSTED_PROXIES: 'loopback' } });
    try {
      for (const { name, ...storm } of storms) {
        findings.push(...(await withstand(site.url, name, storm)));
        const { exitCode, signalCode } = site.process;
        if (exitCode !== null || signalCode) throw new Error(`The site ended by ${signalCode ?? exitCode}: ${name}.`);
      }
      findings.push(...(await limitOneAddress(site.url)));
    } finally {
      await site.stop();
    }
    return findings;
  },
};
