import { expect, test } from 'vitest';
import { sectionOf } from './section.ts';

test.each([
  ['/', 'product'],
  ['/why', 'product'],
  ['/connector', 'product'],
  ['/solution2', 'solutions'],
  ['/blog/tags/ai', 'resources'],
  ['/docs/intro/product_intro', 'resources'],
  ['/pricing', 'pricing'],
  ['/about', 'about'],
  ['/login', undefined],
  ['/whyever', undefined],
  ['/docsearch', undefined],
])('%s highlights %s', (path, section) => {
  expect(sectionOf(path)).toBe(section);
});
