import { expect, test } from 'vitest';
import { fill } from './fill.ts';

test('each place gets its value, as often as it stands there', () => {
  expect(fill('{a} of {b}, {a}', { a: 0, b: 'many' })).toBe('0 of many, 0');
});

test('what has no value stays as it is written, names that every object has too', () => {
  expect(fill('{missing} {toString} {not a name} {}', { a: 1 })).toBe('{missing} {toString} {not a name} {}');
});

test('a value is text: it is neither filled again nor read as a pattern', () => {
  expect(fill('{a}{b}', { a: '{b}', b: '$& $1' })).toBe('{b}$& $1');
});
