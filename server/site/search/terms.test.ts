import { expect, test } from 'vitest';
import { mayBeStart, termsOf } from './terms.ts';

test('a query is split like texts into unique lower-case words', () => {
  expect(termsOf('a B, a b\nc—d\u00a0e.f')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(termsOf('  .. ')).toEqual([]);
});

test('a query has at most eight words of at most 200 letters', () => {
  expect(termsOf(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' '))).toHaveLength(8);
  expect(termsOf(`${'a'.repeat(300)} b`).map((word) => word.length)).toEqual([200]);
});

test('three letters may start a word, fewer only in the last word', () => {
  const words = ['abc', 'de', 'fg'];
  expect(words.map((word, at) => mayBeStart(word, at, words))).toEqual([true, false, true]);
});
