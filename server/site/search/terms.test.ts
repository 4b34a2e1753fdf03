import { expect, test } from 'vitest';
import { mayBeStart, termsOf } from './terms.ts';

test('a query is cut into words where texts are, each once and in lower case', () => {
  expect(termsOf('a B, a b\nc—d\u00a0e.f')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(termsOf('  .. ')).toEqual([]);
});

test('no query costs more than eight different words, or has a longer one than anybody types', () => {
  expect(termsOf(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' '))).toHaveLength(8);
  expect(termsOf(`${'a'.repeat(300)} b`).map((word) => word.length)).toEqual([200]);
});

test('three letters may be the start of a word, fewer only where somebody is still typing', () => {
  const words = ['abc', 'de', 'fg'];
  expect(words.map((word, at) => mayBeStart(word, at, words))).toEqual([true, false, true]);
});
