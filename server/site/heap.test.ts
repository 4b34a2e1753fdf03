import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RemadeSite } from '../testing/remade-site.ts';
import { answerKinds, requestKinds } from '../testing/request-kinds.ts';
import { startUpstream, type Upstream } from '../testing/upstream.ts';

// The real site after a forced collection; `npm test` builds before, `npm run bench -- faults` sends twenty times as
// much.
let upstream: Upstream;
let site: RemadeSite;
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-heap-'));

beforeAll(async () => {
  upstream = await startUpstream(answerKinds);
  site = await RemadeSite.start({ API_BASE_URL: upstream.url, DATA_DIR: dataDir });
});

afterAll(async () => {
  await site.stop();
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * A third of the smallest leak that must be detected, 9 kB per request: twice as much would have to disappear by
 * chance.
 */
const chancePerRequest = 3_000;
/** What collections leave behind or free by chance differs from round to round; a leak appears in each of them. */
const mostRounds = 5;

test.each(requestKinds)('$name do not leak memory', async ({ count, outcome, shot }) => {
  // What is created once, such as compiled code and cached answers, exists after the first round.
  await site.fire(count, shot);
  let before = await site.bytes();
  const growths: number[] = [];
  const isQuiet = (growth: number) => Math.abs(growth) < count * chancePerRequest;
  while (growths.length < mostRounds && !growths.some(isQuiet)) {
    expect(await site.fire(count, shot)).toEqual({ [outcome]: count });
    const after = await site.bytes();
    growths.push(after - before);
    before = after;
  }
  expect(growths.some(isQuiet), `bytes left by ${count}, round after round: ${growths.join(', ')}`).toBe(true);
});
