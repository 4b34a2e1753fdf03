import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startSite } from './site.ts';

/** More lines than a pipe and its reader can buffer. */
const requests = 3_000;

test('a stalled log reader delays neither visitors nor the exit', async () => {
  const site = await startSite();
  try {
    site.process.stdout?.pause();
    const askInTurn = async () => {
      for (let count = 0; count < requests / 20; count += 1) {
        const answer = await fetch(`${site.url}/healthz`);
        expect([answer.status, await answer.text()]).toEqual([200, '{"status":"alive"}']);
      }
    };
    await Promise.all(Array.from({ length: 20 }, askInTurn));
    const ended = once(site.process, 'exit');
    site.process.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    await site.stop();
  }
  // The output is complete up to where the pipe was full, and the end is missing: the reader really had stopped.
  const lines = site.output().split('\n').slice(0, -1);
  expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'));
  expect(lines.length).toBeGreaterThan(100);
  expect(site.output()).not.toContain('"outcome"');
});
