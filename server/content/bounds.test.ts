import { expect, test } from 'vitest';
import { beyondBounds, bounds, tooLarge } from './bounds.ts';

const beyond = (source: string) => beyondBounds('docs/a.md', source);
const nested = (line: number) => `The file docs/a.md nests its blocks too deeply in line ${line}.`;

test('as many lines as are allowed, and one more', () => {
  expect(beyond('\n'.repeat(bounds.lines - 1))).toBeUndefined();
  expect(beyond('\n'.repeat(bounds.lines))).toBe(
    'The file docs/a.md has 20001 lines; pages of up to 20000 are shown. Divide it.',
  );
});

test.each([
  ['list marks', '- '],
  ['other list marks', '*\t'],
  ['quotations', '>>'],
  ['numbers', '1. '],
  ['numbers with brackets', '12) '],
  ['indentation before a mark', `${' '.repeat(30)}+ `],
])('%s up to the bound, and beyond it', (_what, mark) => {
  const most = mark.repeat(Math.floor(bounds.markColumns / mark.length));
  expect(beyond(`a\n${most}x`)).toBeUndefined();
  expect(beyond(`a\n${most}${mark}x`)).toBe(nested(2));
});

test('long lines, rules, wide indentation and code are no depth', () => {
  const lines = ['word '.repeat(1000), '-'.repeat(1000), `${' '.repeat(1000)}x`, '```', '- '.repeat(1000), '```'];
  expect(beyond(lines.join('\n'))).toBeUndefined();
  expect(beyond(`${lines.join('\n')}\n${'- '.repeat(1000)}`)).toBe(nested(7));
});

test('a file that is too large is named with its size', () => {
  expect(tooLarge('docs/a.md', 2_340_000)).toBe(
    'The file docs/a.md has 2.3 MB; pages of up to 1 MB are shown. Divide it.',
  );
});
