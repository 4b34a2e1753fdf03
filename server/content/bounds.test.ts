import { expect, test } from 'vitest';
import { beyondBounds, bounds, tooLarge } from './bounds.ts';

const beyond = (source: string) => beyondBounds('docs/a.md', source);
const nested = (line: number) => `The file docs/a.md nests its blocks too deeply in line ${line}.`;

test('a page may have the maximum number of lines, but not one more', () => {
  expect(beyond('\n'.repeat(bounds.lines - 1))).toBeUndefined();
  expect(beyond('\n'.repeat(bounds.lines))).toBe(
    'The file docs/a.md has 20001 lines; at most 20000 are allowed. Split it.',
  );
});

test.each([
  ['list markers', '- '],
  ['other list markers', '*\t'],
  ['quotation markers', '>>'],
  ['numbered list markers', '1. '],
  ['numbered list markers with brackets', '12) '],
  ['indented markers', `${' '.repeat(30)}+ `],
])('%s may nest up to the limit, but not beyond it', (_what, mark) => {
  const most = mark.repeat(Math.floor(bounds.markColumns / mark.length));
  expect(beyond(`a\n${most}x`)).toBeUndefined();
  expect(beyond(`a\n${most}${mark}x`)).toBe(nested(2));
});

test('long lines, rules, wide indentation and code do not count as nesting', () => {
  const lines = ['word '.repeat(1000), '-'.repeat(1000), `${' '.repeat(1000)}x`, '```', '- '.repeat(1000), '```'];
  expect(beyond(lines.join('\n'))).toBeUndefined();
  expect(beyond(`${lines.join('\n')}\n${'- '.repeat(1000)}`)).toBe(nested(7));
});

test.each(['\\*', '&a;', '<b>'])('%s may occur up to the limit, not counting code', (mark) => {
  const most = mark.repeat(bounds.escapes);
  expect(beyond(`${most}\n\n\`\`\`\n${mark}\n\`\`\``)).toBeUndefined();
  expect(beyond(`${most}\n\n${mark}`)).toBe(
    'The file docs/a.md has 200001 escapes, entities and tags; at most 200000 are allowed. Split it.',
  );
});

test('open blocks are limited; closed blocks and code do not count', () => {
  const open = '::: note\n'.repeat(bounds.openBlocks);
  expect(beyond(open)).toBeUndefined();
  expect(beyond(`${open}:::\n:::tip\n::::warning`)).toBe(nested(bounds.openBlocks + 3));
  expect(beyond('::: note\na\n:::\n'.repeat(1000))).toBeUndefined();
  expect(beyond(`\`\`\`\n${open}${open}\`\`\``)).toBeUndefined();
});

const crowded = (line: number) =>
  `The file docs/a.md has too many emphasis, link and code markers in one paragraph, up to line ${line}. Split it.`;

test.each([
  ['comments', '<!--'],
  ['processing instructions', '<?'],
  ['declarations', '<!A'],
  ['CDATA sections', '<![CDATA['],
  ['comments in cells', '| <!--'],
])('unclosed %s are allowed up to the limit, but not beyond it', (_what, mark) => {
  const length = bounds.stepsOn / 1000 - 10;
  const most = `a\n\nb ${mark.repeat(1000)}`.padEnd(length, 'x');
  expect(beyond(`${most}\n\nb ${mark}`)).toBeUndefined();
  expect(beyond(`${most}${mark}${'x'.repeat(20)}\n\nb`)).toBe(crowded(3));
});

test('closed markers and repeated backticks do not exhaust the search limit', () => {
  const closed = `${'<!-- a --> <?b?> <!C> <![CDATA[d]]> `e` ``f`` '.repeat(2000)}\n`;
  expect(beyond(closed)).toBeUndefined();
  expect(beyond(`${'`a '.repeat(100_000)}\n`)).toBeUndefined();
  expect(beyond(`${Array.from({ length: 500 }, (_, n) => '`'.repeat(n)).join(' ')}${'x'.repeat(200_000)}`)).toBe(
    crowded(1),
  );
});

test('a file that is too large is reported with its size', () => {
  expect(tooLarge('docs/a.md', 2_340_000)).toBe('The file docs/a.md is 2.3 MB; at most 1 MB is allowed. Split it.');
});
