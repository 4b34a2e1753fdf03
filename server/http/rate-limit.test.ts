import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('each address has its number a minute', () => {
  const limit = new RateLimit(2);
  expect([limit.take('a', 1_000), limit.take('a', 2_000), limit.take('a', 2_500)]).toEqual([0, 0, 59]);
  expect(limit.take('b', 3_000)).toBe(0);
  expect(limit.take('a', 60_999)).toBe(1);
  expect(limit.take('a', 61_000)).toBe(0);
});

test('too many addresses start over', () => {
  const limit = new RateLimit(1);
  limit.take('a', 1);
  for (let count = 1; count < 10_000; count += 1) limit.take(`other ${count}`, 2);
  expect(limit.take('a', 3)).toBe(0);
});
