import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from './site.ts';

// The compiled-content cache is destroyed before a start, and again while the site runs: visitors still see every page.

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-cache-faults-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the site starts with a cache that is not a database, and survives its overwriting', async () => {
  const dataDir = join(folder, 'data');
  const contentDir = join(folder, 'content');
  const files = { 'one.md': '# One\n\nThe first text.\n', 'two.md': '# Two\n\nThe second text.\n' };
  await mkdir(join(contentDir, 'docs'), { recursive: true });
  await mkdir(dataDir);
  for (const [name, text] of Object.entries(files)) await writeFile(join(contentDir, 'docs', name), text);
  const cache = join(dataDir, 'content-cache.sqlite');
  await writeFile(cache, 'not a database '.repeat(2000));

  const site = await startSite({ dataDir, env: { CONTENT_DIR: contentDir, STRICT_CONTENT: '0' } });
  const read = async (path: string) => {
    // On a starved machine the pause between two of them may exceed the time-out of an idle connection.
    const response = await fetch(`${site.url}${path}`, { headers: { connection: 'close' } });
    return { status: response.status, text: await response.text() };
  };
  try {
    expect(await read('/docs/one')).toEqual({ status: 200, text: expect.stringContaining('The first text.') });
    await writeFile(cache, 'not a database '.repeat(2000));
    expect(await read('/docs/two')).toEqual({ status: 200, text: expect.stringContaining('The second text.') });
    expect(await read('/search?q=second')).toEqual({ status: 200, text: expect.stringContaining('/docs/two') });
  } finally {
    expect(await site.stop()).toBe(0);
  }
  const warnings = site
    .output()
    .split('\n')
    .filter((line) => line.includes('content-cache.sqlite'));
  expect(warnings.map((line) => /moved to|memory only/.exec(line)?.[0])).toEqual(['moved to', 'memory only']);
});
