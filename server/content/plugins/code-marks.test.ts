import { expect, test } from 'vitest';
import { takeCodeMarks } from './code-marks.ts';
import { readCodeMeta } from './code-meta.ts';

test('comments that mark lines go, their lines are marked', () => {
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
