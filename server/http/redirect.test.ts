import { expect, test } from 'vitest';
import { withSearch } from './redirect.ts';

test.each([
  ['/docs', '?a=1', '/docs?a=1'],
  ['/docs#part', '?a=1', '/docs?a=1#part'],
  ['/docs', '', '/docs'],
  // A target with its own query keeps it.
  ['/docs?b=2', '?a=1', '/docs?b=2'],
  // The query was meant for this site only.
  ['https://other.example/docs', '?a=1', 'https://other.example/docs'],
  ['//other.example/docs', '?a=1', '//other.example/docs'],
])('%s with %s leads to %s', (to, search, expected) => {
  expect(withSearch(to, search)).toBe(expected);
});
