import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/content-folder.ts';
import { keptLog, quiet } from '../../testing/content-log.ts';
import { pack } from '../packed-page.ts';
import { brokenPage, type CompiledPage } from '../page-facts.ts';
import { type CacheOptions, openCache } from './content-cache.ts';

const folder = testFolder('content-cache');
const dayOne = new Date('2024-03-01T23:00:00Z');
const laterBy = (days: number) => new Date(dayOne.getTime() + days * 86_400_000);

function pageOf(text: string): CompiledPage {
  const { facts } = brokenPage([]);
  const tree = { type: 'root' as const, children: [{ type: 'text' as const, value: text }] };
  return { facts: { ...facts, intro: text }, body: { tree, toc: [], text } };
}

function opened(name: string, more: Partial<CacheOptions> = {}) {
  return openCache({ dataDir: join(folder, name), now: dayOne, log: quiet, ...more });
}

const fileOf = (name: string) => join(folder, name, 'content-cache.sqlite');

test('stored pages and notes survive reopening and can seed another cache', () => {
  const first = opened('a');
  first.put([['k', pack(pageOf('one'))]]);
  first.putNote('n', 'note');
  first.close();
  const second = opened('a');
  expect(second.facts('k')?.intro).toBe('one');
  expect(second.body('k')?.text).toBe('one');
  expect(second.note('n')).toBe('note');
  expect([second.facts('other'), second.body('other'), second.note('other')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([second.hasBody('k'), second.hasBody('other')]).toEqual([true, false]);
  second.close();
  const seeded = opened('b', { seedCacheFile: fileOf('a') });
  expect(seeded.facts('k')?.intro).toBe('one');
  expect(seeded.body('k')?.text).toBe('one');
  expect(seeded.note('n')).toBe('note');
  seeded.close();
  const without = opened('b');
  expect(without.facts('k')).toBeUndefined();
  without.close();
});

test('pages with their texts, and notes, are removed after 60 days without use', () => {
  const put = opened('old');
  put.put([
    ['used', pack(pageOf('used'))],
    ['left', pack(pageOf('left'))],
  ]);
  put.putNote('n', 'note');
  put.close();

  const after60 = opened('old', { now: laterBy(60) });
  after60.keep(['used']);
  expect([after60.hasBody('used'), after60.hasBody('left'), after60.note('n')]).toEqual([true, true, 'note']);
  after60.close();

  const after61 = opened('old', { now: laterBy(61) });
  after61.keep([]);
  expect([after61.facts('left'), after61.hasBody('left'), after61.note('n')]).toEqual([undefined, false, undefined]);
  expect([after61.facts('used')?.intro, after61.body('used')?.text]).toEqual(['used', 'used']);
  after61.close();

  const after121 = opened('old', { now: laterBy(121) });
  after121.keep([]);
  expect(after121.hasBody('used')).toBe(false);
  after121.close();
});

test('a start with the same pages on the same day writes nothing', () => {
  const first = opened('same');
  first.put([['k', pack(pageOf('one'))]]);
  first.close();
  const before = readFileSync(fileOf('same'));
  const second = opened('same');
  second.keep(['k']);
  second.close();
  expect(readFileSync(fileOf('same')).equals(before)).toBe(true);
  const nextDay = opened('same', { now: laterBy(1) });
  nextDay.keep(['k']);
  nextDay.close();
  expect(readFileSync(fileOf('same')).equals(before)).toBe(false);
});

test('a row that is not a page counts as missing, even if its checksum is right', () => {
  const cache = opened('shape');
  const { body } = pack(pageOf('one'));
  cache.put([
    ['no JSON', { facts: '{', body: new Uint8Array([1, 2]) }],
    ['no facts', { facts: '{"front":{}}', body }],
    ['no body', { ...pack(pageOf('two')), body: pack({ ...pageOf('x'), body: JSON.parse('{"tree":[]}') }).body }],
  ]);
  expect(cache.facts('no JSON')).toBeUndefined();
  expect(cache.body('no JSON')).toBeUndefined();
  expect(cache.facts('no facts')).toBeUndefined();
  expect(cache.facts('no body')?.intro).toBe('two');
  expect(cache.body('no body')).toBeUndefined();
  cache.close();
});

test('on a full disk, written pages stay, the rest is kept in memory, and one warning is logged', () => {
  const log = keptLog();
  const cache = opened('full', { log, maxBytes: 48 * 1024 });
  const keys = Array.from({ length: 40 }, (_, index) => `page ${index}`);
  // Random letters, which compress poorly.
  const texts = new Map(keys.map((key) => [key, `${key} ${randomText(3000)}`]));
  for (const key of keys) cache.put([[key, pack(pageOf(texts.get(key) ?? ''))]]);
  cache.putNote('n', 'note');
  cache.keep(keys);
  for (const key of keys) expect(cache.body(key)?.text).toBe(texts.get(key));
  expect(cache.note('n')).toBe('note');
  expect(log.warnings).toEqual([expect.stringMatching(/memory only.*content-cache\.sqlite.*full/)]);
  cache.close();

  const next = opened('full');
  const kept = keys.filter((key) => next.body(key)?.text === texts.get(key));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).toEqual(keys.slice(0, kept.length));
  next.close();
});

function randomText(length: number): string {
  let seed = length;
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCharCode(0x21 + ((seed >> 8) % 90));
  }).join('');
}

test.skipIf(process.platform === 'win32')(
  "at the system's file size limit, the rest is kept in memory, and one warning is logged",
  () => {
    const script = fileURLToPath(new URL('../../testing/fill-cache.ts', import.meta.url));
    // 64 blocks of 512 or 1024 bytes.
    const limited = ['-c', 'ulimit -f 64 && exec "$0" "$@"', process.execPath, script, join(folder, 'limited'), '100'];
    const { stdout, stderr } = spawnSync('sh', limited, { encoding: 'utf8', timeout: 300_000 });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ back: 100, warnings: [expect.stringContaining('memory only')] });
  },
);

test('an unreadable seed is reported and ignored', () => {
  const log = keptLog();
  const seedCacheFile = join(folder, 'seed.sqlite');
  writeFileSync(seedCacheFile, 'not a database '.repeat(500));
  const cache = opened('unseeded', { log, seedCacheFile });
  expect(cache.facts('k')).toBeUndefined();
  expect(log.warnings).toEqual([expect.stringContaining(seedCacheFile)]);
  cache.close();
  expect(readFileSync(seedCacheFile, 'utf8')).toContain('not a database');
});
