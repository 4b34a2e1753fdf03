import { expect, test } from 'vitest';
import { readCodeMeta } from './code-meta.ts';

test('our own words', () => {
  const meta = readCodeMeta('title="my.cnf" {2,4-6} ins={3} del={2} showLineNumbers');
  expect(meta).toEqual({
    title: 'my.cnf',
    marked: new Set([2, 4, 5, 6]),
    added: new Set([3]),
    removed: new Set([2]),
    numbers: true,
  });
});

test.each([
  ['hl_lines="2 3"', [2, 3]],
  ['{hl_lines=[1,"3-4"]}', [1, 3, 4]],
  ['mark={7}', [7]],
  ['title="{1}"', []],
])('%s marks %j', (meta, lines) => {
  expect([...readCodeMeta(meta).marked]).toEqual(lines);
});

test('a label in brackets, and numbers switched off', () => {
  expect(readCodeMeta('[pnpm] showLineNumbers=false')).toMatchObject({ label: 'pnpm', numbers: false });
});
