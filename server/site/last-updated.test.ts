import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { readLastUpdated } from './last-updated.ts';

const folder = testFolder('last-updated');
const read = (name: string) => readLastUpdated(join(folder, name));

test('dates are read by file', () => {
  writeFiles(folder, { 'days.json': '{"docs/a.md":"2026-01-31","blog/b.md":"2025-12-01"}' });
  expect([...read('days.json')]).toEqual([
    ['docs/a.md', '2026-01-31'],
    ['blog/b.md', '2025-12-01'],
  ]);
});

test('a build without a history has no dates', () => {
  expect(read('none.json').size).toBe(0);
});

test('an invalid date is refused', () => {
  writeFiles(folder, { 'wrong.json': '{"docs/a.md":"yesterday"}' });
  expect(() => read('wrong.json')).toThrow(/docs\/a\.md/);
});
