import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCache } from './cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'content-cache-'));
const page = { facts: '{}', body: new Uint8Array([1, 2]) };
afterAll(() => rmSync(folder, { recursive: true }));

test('what is put is there after the next opening, and in a seed', () => {
  const data = join(folder, 'a');
  const first = openCache(data);
  first.put([['k', page]]);
  first.close();
  const second = openCache(data);
  expect(second.facts('k')).toBe('{}');
  expect(second.body('k')).toEqual(page.body);
  expect(second.facts('other')).toBeUndefined();
  second.close();
  const seeded = openCache(join(folder, 'b'), join(data, 'content-cache.sqlite'));
  expect(seeded.body('k')).toEqual(page.body);
  seeded.close();
});

test('a damaged file is made anew, a folder that cannot be written is told', () => {
  const data = join(folder, 'c');
  openCache(data).close();
  writeFileSync(join(data, 'content-cache.sqlite'), 'not a database '.repeat(100));
  const mended = openCache(data);
  expect(mended.warning).toBeUndefined();
  mended.close();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const inMemory = openCache(join(file, 'below'));
  expect(inMemory.warning).toContain('memory only');
  inMemory.put([['k', page]]);
  expect(inMemory.facts('k')).toBe('{}');
  inMemory.close();
});
