import { expect, test } from 'vitest';
import { isPageAddress } from './links.ts';

const origin = 'https://millrace.example';

test.each([
  ['/', true],
  ['/docs/releaseNote/rn-0-7-0?x=1#a', true],
  ['/consoles', true],
  ['/console', false],
  ['/console/billing', false],
  ['/docs/intro/product_intro.md', false],
  ['/blog/rss.xml', false],
  ['/sitemap.xml', false],
  ['https://other.example/', false],
])('%s is a page of the site: %s', (address, expected) => {
  expect(isPageAddress(new URL(address, origin), origin)).toBe(expected);
});
