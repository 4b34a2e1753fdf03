import { expect, test } from 'vitest';
import { fill } from './fill.ts';

test('each placeholder gets its value, as often as it appears', () => {
  expect(fill('{a} of {b}, {a}', { a: 0, b: 'many' })).toBe('0 of many, 0');
});

test('a placeholder without a value stays as written, even with a name that every object has', () => {
  expect(fill('{missing} {toString} {not a name} {}', { a: 1 })).toBe('{missing} {toString} {not a name} {}');
});

test('a value is text: it is not filled again or read as a pattern', () => {
  expect(fill('{a}{b}', { a: '{b}', b: '$& $1' })).toBe('{b}$& $1');
});
