import { expect, test } from 'vitest';
import { withSearch } from './redirect.ts';

test.each([
  ['/docs', '?a=1', '/docs?a=1'],
  ['/docs#part', '?a=1', '/docs?a=1#part'],
  ['/docs', '', '/docs'],
  // One that has a query of its own keeps it.
  ['/docs?b=2', '?a=1', '/docs?b=2'],
  // What was asked here is nobody else's business.
  ['https://other.example/docs', '?a=1', 'https://other.example/docs'],
  ['//other.example/docs', '?a=1', '//other.example/docs'],
])('%s with %s leads to %s', (to, search, expected) => {
  expect(withSearch(to, search)).toBe(expected);
});
