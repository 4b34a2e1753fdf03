import { expect, test } from 'vitest';
import { beyondBounds, bounds, tooLarge } from './bounds.ts';

const beyond = (source: string) => beyondBounds('docs/a.md', source);
const nested = (line: number) => `The file docs/a.md nests its blocks too deeply in line ${line}.`;

test('as many lines as are allowed, and one more', () => {
  expect(beyond('\n'.repeat(bounds.lines - 1))).toBeUndefined();
  expect(beyond('\n'.repeat(bounds.lines))).toBe(
    'The file docs/a.md has 20001 lines; at most 20000 are allowed. Split it.',
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

test.each(['\\*', '&a;', '<b>'])('as many times %s as are allowed, and one more; as many again in code', (mark) => {
  const most = mark.repeat(bounds.escapes);
  expect(beyond(`${most}\n\n\`\`\`\n${mark}\n\`\`\``)).toBeUndefined();
  expect(beyond(`${most}\n\n${mark}`)).toBe(
    'The file docs/a.md has 200001 escapes, entities and tags; at most 200000 are allowed. Split it.',
  );
});

test('blocks that stay open up to the bound, and one more; not those that are closed or code', () => {
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
  ['instructions', '<?'],
  ['declarations', '<!A'],
  ['raw text', '<![CDATA['],
  ['comments in cells', '| <!--'],
])('%s that nobody closes, up to the bound, and beyond it', (_what, mark) => {
  const length = bounds.stepsOn / 1000 - 10;
  const most = `a\n\nb ${mark.repeat(1000)}`.padEnd(length, 'x');
  expect(beyond(`${most}\n\nb ${mark}`)).toBeUndefined();
  expect(beyond(`${most}${mark}${'x'.repeat(20)}\n\nb`)).toBe(crowded(3));
});

test('marks that are closed, and code that opens anew, are looked for once', () => {
  const closed = `${'<!-- a --> <?b?> <!C> <![CDATA[d]]> `e` ``f`` '.repeat(2000)}\n`;
  expect(beyond(closed)).toBeUndefined();
  expect(beyond(`${'`a '.repeat(100_000)}\n`)).toBeUndefined();
  expect(beyond(`${Array.from({ length: 500 }, (_, n) => '`'.repeat(n)).join(' ')}${'x'.repeat(200_000)}`)).toBe(
    crowded(1),
  );
});

test('a file that is too large is named with its size', () => {
  expect(tooLarge('docs/a.md', 2_340_000)).toBe('The file docs/a.md is 2.3 MB; at most 1 MB is allowed. Split it.');
});
