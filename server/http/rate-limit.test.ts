import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('each address has its number of requests per minute, from its first one on', () => {
  const limit = new RateLimit(2);
  expect([limit.take('a', 1_000), limit.take('a', 2_000), limit.take('a', 2_500)]).toEqual([0, 0, 59]);
  expect(limit.take('b', 3_000)).toBe(0);
  expect(limit.take('a', 60_999)).toBe(1);
  expect([limit.take('a', 61_000), limit.take('a', 61_000), limit.take('a', 61_000)]).toEqual([0, 0, 60]);
  expect([limit.take('b', 62_000), limit.take('b', 62_999)]).toEqual([0, 1]);
  expect([limit.take('b', 90_000), limit.take('b', 90_000), limit.take('b', 90_000)]).toEqual([0, 0, 60]);
});

test('a limit of 0 allows any number', () => {
  const limit = new RateLimit(0);
  expect([limit.take('a', 1), limit.take('a', 1)]).toEqual([0, 0]);
});

test('when there are too many addresses, the least recent one is forgotten', () => {
  const limit = new RateLimit(1);
  for (const address of ['a', 'b', 'a']) limit.take(address, 1);
  for (let count = 1; count < 10_000; count += 1) limit.take(`other ${count}`, 2);
  expect(limit.take('a', 3)).toBeGreaterThan(0);
  expect(limit.take('b', 3)).toBe(0);
});
