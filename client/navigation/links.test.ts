import { expect, test } from 'vitest';
import { pageAddress } from './links.ts';

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
  const { href } = new URL(address, origin);
  expect(pageAddress(href, origin)?.href).toBe(expected ? href : undefined);
});

// What a browser returns as `href` of a link that it cannot parse, or that has none.
test.each(['http://[', 'https://millrace.example:port/', 'http://', ''])("'%s' is left alone", (href) => {
  expect(pageAddress(href, origin)).toBeUndefined();
});
