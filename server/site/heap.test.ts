import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { RemadeSite, type Shot } from '../testing/heap.ts';
import { startUpstream, type Upstream } from '../testing/upstream.ts';

// The real site after a forced collection; `npm test` builds before, `npm run bench -- faults` sends ten times as much.
let upstream: Upstream;
let site: RemadeSite;
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-heap-'));

beforeAll(async () => {
  upstream = await startUpstream();
  site = await RemadeSite.start({ API_BASE_URL: upstream.url, DATA_DIR: dataDir });
}, 60_000);

afterAll(async () => {
  await site.stop();
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const large = JSON.stringify({ text: 'x'.repeat(30_000) });
const words = ['mysql', 'kafka', 'replication', 'oracle', 'task'];
/** Above what collections leave behind by chance, below what the smallest leak of a request would add up to. */
const chance = 1_500_000;

test.each<[name: string, count: number, status: string, shot: (index: number) => Shot]>([
  ['calls', 500, '200', () => ({ method: 'POST', path: calls.login, body: '{}' })],
  ['calls with 30 kB', 200, '200', () => ({ method: 'POST', path: calls.login, body: large })],
  ['calls that are refused', 500, '400', () => ({ method: 'POST', path: calls.login, body: '{' })],
  ['calls that the backend fails', 500, '502', () => ({ method: 'POST', path: calls.login, body: '{"fault":"failing"}' })],
  ['calls whose clients leave', 500, 'gone', () => ({ method: 'POST', path: calls.login, body: '{"fault":"silent"}', leaves: true })],
  ['pages', 200, '200', () => ({ path: '/docs/intro/product_intro' })],
  ['pages whose clients leave', 200, 'gone', () => ({ path: '/docs/intro/product_intro', leaves: true })],
  ['pages that are not found', 100, '404', (index) => ({ path: `/nowhere/${index}` })],
  ['searches', 100, '200', (index) => ({ path: `/search?q=${words[index % words.length]}+${index}` })],
  ['search results', 500, '200', (index) => ({ path: `/search.json?q=${words[index % words.length]}+${index}` })],
  ['preview pictures', 10, '200', () => ({ path: '/preview/home.png' })],
  ['malformed requests', 500, '400', (index) => ({ path: `/%zz${index}` })],
])('%s: nothing is left behind', { timeout: 120_000 }, async (_name, count, status, shot) => {
  // What is made once, such as compiled code and kept answers, is there after the first round.
  await site.fire(count, shot);
  const before = await site.bytes();
  expect(await site.fire(count, shot)).toEqual({ [status]: count });
  const growth = (await site.bytes()) - before;
  expect(growth).toBeLessThan(chance);
}); // biome-ignore format: one row a kind of request
