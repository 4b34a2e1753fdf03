import { expect, test } from 'vitest';
import { readCodeMeta } from './code-meta.ts';

test('our own options are read', () => {
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

test('a label in brackets and line numbers switched off are read', () => {
  expect(readCodeMeta('[pnpm] showLineNumbers=false')).toMatchObject({ label: 'pnpm', numbers: false });
});

test.each([
  ["title='It is'", 'It is'],
  ['file="a.sql"', 'a.sql'],
  ['filename="b.sql"', 'b.sql'],
  ['name="c.sql"', 'c.sql'],
  ['subtitle="d"', undefined],
  ['title=""', undefined],
])('%s gives the title %j', (meta, title) => {
  expect(readCodeMeta(meta).title).toBe(title);
});

test.each([
  ['{1,2-3}', [1, 2, 3]],
  ['{ 10 - 12 }', [10, 11, 12]],
  ['data-x="{7}" {8}', [8]],
  ["data-x='{7}' data-y={[7]} {8}", [8]],
  ['x=[{7}] {8}', [8]],
  ['mark="3-4" hl_lines="6"', [3, 4, 6]],
  ['{12} mark={34}', [12, 34]],
  ['{a}', []],
])('%s marks %j', (meta, lines) => {
  expect([...readCodeMeta(meta).marked]).toEqual(lines);
});

test.each([
  ['showLineNumbers', true],
  ['line-numbers', true],
  ['linenos=table', true],
  ['linenums="1"', true],
  ['linenums="false"', false],
  [':no-line-numbers', false],
  ['linenos=off', false],
  ['showLineNumbers={false}', false],
  ["linenos='false'", false],
  ['', false],
])('%s numbers lines: %j', (meta, numbers) => {
  expect(readCodeMeta(meta).numbers).toBe(numbers);
});

test('a label needs its own brackets, and a range is limited', () => {
  expect(readCodeMeta('x[no]').label).toBeUndefined();
  expect(readCodeMeta('{1} [pnpm add]').label).toBe('pnpm add');
  expect(readCodeMeta('{1-999999999}').marked.size).toBe(10_001);
});
