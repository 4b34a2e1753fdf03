import { expect, test } from 'vitest';
import { recordedUri } from './page-view.ts';

test.each([
  ['/why?bd_vid=7#top', '/why'],
  ['/login?from=%2Fdocs', '/login?from=%2Fdocs'],
  ['/login?code=1&state=2&token=3', '/login'],
  ['/login?code=1&from=a', '/login?from=a'],
])('%s is recorded as %s', (address, uri) => {
  expect(recordedUri(new URL(address, 'https://millrace.example'))).toBe(uri);
});
