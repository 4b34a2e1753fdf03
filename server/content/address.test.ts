import { expect, test } from 'vitest';
import { addressOf, cleanSegment, dateInPath } from './address.ts';

test.each([
  ['docs/intro/product_intro.md', undefined, '/docs/intro/product_intro'],
  ['docs/a/index.md', undefined, '/docs/a'],
  ['docs/a/_index.md', undefined, '/docs/a'],
  ['docs/README.md', undefined, '/docs'],
  ['docs/a/b.mdx', '/x/y', '/docs/x/y'],
  ['docs/a/b.md', 'c', '/docs/a/c'],
  ['docs/a/b.md', '/', '/docs'],
  ['docs/My page (1) & more.md', undefined, '/docs/My-page-1-and-more'],
  ['docs/100% Größe.md', undefined, '/docs/100-Grosse'],
])('%s with slug %s is %s', (file, slug, address) => {
  expect(addressOf('doc', file, slug)).toBe(address);
});

test.each([
  ['blog/ai/rag_concept.md', undefined, '/blog/ai/rag_concept'],
  ['blog/x/kafka.md', '/blog/kafka', '/blog/blog/kafka'],
  ['blog/2024-01-02-name.md', undefined, '/blog/name'],
  ['blog/2024-01-02-name/index.md', undefined, '/blog/name'],
])('%s with slug %s is %s', (file, slug, address) => {
  expect(addressOf('post', file, slug)).toBe(address);
});

test('names of other scripts are written in ASCII, and are not empty', () => {
  expect(cleanSegment('日本語')).toMatch(/^xn--[a-z0-9]+$/);
  expect(cleanSegment('???')).toBe('page');
});

test('a path may name a day', () => {
  expect(dateInPath('blog/2024-01-02-name.md')).toBe('2024-01-02');
  expect(dateInPath('blog/2024/01/02/name.md')).toBe('2024-01-02');
  expect(dateInPath('blog/name.md')).toBeUndefined();
});
