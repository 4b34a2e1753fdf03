import { expect, test } from 'vitest';
import { blankFrontMatter, findFrontMatter, readFrontMatter } from './front-matter.ts';

const read = (source: string) => readFrontMatter(findFrontMatter(source), 'a.md');

test('YAML in one shape, unknown keys allowed', () => {
  const { front, faults } = read(
    '---\ntitle: T\ndate: 2024-1-2\ntags: [a, {label: b}]\nauthors: {name: N, title: X}\nother: 1\n---\nText',
  );
  expect(faults).toEqual([]);
  expect(front).toMatchObject({
    title: 'T',
    date: '2024-01-02',
    tags: [{ name: 'a', line: 4, column: 8 }, { name: 'b' }],
    authors: [{ name: 'N', label: 'N', title: 'X' }],
  });
});

test('TOML', () => {
  const { front } = read('+++\ntitle = "T"\nweight = 3\ndate = 2024-01-02\n+++\n');
  expect(front).toMatchObject({ title: 'T', position: 3, date: '2024-01-02' });
});

test('a key that does not fit is reported, the others count', () => {
  const { front, faults } = read('---\ntitle: T\ndraft: perhaps\ndate: 2024-02-30\n---\n');
  expect(front).toMatchObject({ title: 'T', draft: false });
  expect(faults.map(({ line, column }) => [line, column])).toEqual([
    [3, 8],
    [4, 7],
  ]);
});

test('syntax errors have a place', () => {
  expect(read('---\ntitle: "T\n---\n').faults[0]).toMatchObject({ rule: 'yaml' });
  expect(read('+++\ntitle = \n+++\n').faults[0]).toMatchObject({ rule: 'toml', line: 2 });
});

test('lines keep their number, a rule across the page is no front matter', () => {
  const source = '---\na: 1\n---\nText';
  expect(blankFrontMatter(source, findFrontMatter(source))).toBe('\n\n\nText');
  expect(findFrontMatter('Text\n---\n')).toBeUndefined();
});
