import { expect, test } from 'vitest';
import { ledeOf } from './lede.ts';

const text = 'Rows arrive in the order\nin which they were written. Then they are checked.';

test.each([
  ['says something else', 'How changes arrive.', 'How changes arrive.'],
  ['is empty', ' \n ', undefined],
  ['is the title', 'Change  sync', undefined],
  ['is the first sentence', 'Rows arrive in the order in which they were written.', undefined],
  ['is the first words, cut', 'Rows arrive in the order in…', undefined],
  ['is the first words, cut with dots', 'Rows arrive in the...', undefined],
  ['has words of the middle', 'Then they are checked.', 'Then they are checked.'],
])('a description that %s', (_what, description, lede) => {
  expect(ledeOf({ title: 'Change sync', description, text })).toBe(lede);
});
