import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RemadeSite } from '../testing/remade-site.ts';
import { requestKinds } from '../testing/request-kinds.ts';
import { startUpstream, type Upstream } from '../testing/upstream.ts';

// The real site after a forced collection; `npm test` builds before, `npm run bench -- faults` sends twenty times as much.
let upstream: Upstream;
let site: RemadeSite;
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-heap-'));

beforeAll(async () => {
  upstream = await startUpstream();
  site = await RemadeSite.start({ API_BASE_URL: upstream.url, DATA_DIR: dataDir });
});

afterAll(async () => {
  await site.stop();
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Above what collections leave behind by chance, below what the smallest leak of a request would add up to. */
const chance = 1_500_000;

test.each(requestKinds)('$name leave nothing behind', async ({ count, outcome, shot }) => {
  // What is made once, such as compiled code and kept answers, is there after the first round.
  await site.fire(count, shot);
  const before = await site.bytes();
  expect(await site.fire(count, shot)).toEqual({ [outcome]: count });
  const growth = (await site.bytes()) - before;
  expect(growth).toBeLessThan(chance);
});
