import { expect, test } from 'vitest';
import { takeCodeMarks } from './code-marks.ts';
import { readCodeMeta } from './code-meta.ts';

test('comments that mark lines are removed, and their lines are marked', () => {
  const meta = readCodeMeta('');
  const code = [
    'a',
    '// highlight-next-line',
    'b',
    '# highlight-start',
    'c',
    'd',
    '# highlight-end',
    'e // [!code ++]',
    'f # [!code --]',
  ];
  expect(takeCodeMarks(code.join('\n'), meta)).toBe('a\nb\nc\nd\ne\nf');
  expect(meta).toMatchObject({ marked: new Set([2, 3, 4]), added: new Set([5]), removed: new Set([6]) });
});

test('other comments stay', () => {
  expect(takeCodeMarks('// a highlight-next-line of the day', readCodeMeta(''))).toBe(
    '// a highlight-next-line of the day',
  );
});

test.each([
  ['a // [!code highlight]', 'marked'],
  ['a <!-- [!code hl] -->', 'marked'],
  ['a /* [!code focus:2] */', 'marked'],
  ['a ; [!code warning]', 'marked'],
  ['a -- [!code error]', 'marked'],
  ['a // [!code ++]', 'added'],
  ['a // [!code --]', 'removed'],
] as const)('the line %s is %s', (line, mark) => {
  const meta = readCodeMeta('');
  expect(takeCodeMarks(line, meta)).toBe('a');
  const marks = { marked: [...meta.marked], added: [...meta.added], removed: [...meta.removed] };
  expect(marks).toEqual({ marked: [], added: [], removed: [], [mark]: [1] });
});

test.each([
  '<!-- highlight-next-line -->',
  '/* highlight-next-line */',
  '{/* highlight-next-line */}',
  '% highlight-next-line',
])('%s marks only the next line', (comment) => {
  const meta = readCodeMeta('');
  expect(takeCodeMarks(`${comment}\na\nb`, meta)).toBe('a\nb');
  expect([...meta.marked]).toEqual([1]);
});

test('a single line may be marked inside a marked range', () => {
  const meta = readCodeMeta('');
  const code = '# highlight-start\na\n# highlight-next-line\nb\nc\n# highlight-end\nd';
  expect(takeCodeMarks(code, meta)).toBe('a\nb\nc\nd');
  expect([...meta.marked]).toEqual([1, 2, 3]);
});
