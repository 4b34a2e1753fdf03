import { expect, test } from 'vitest';
import { addressOf, cleanSegment, dateInPath, isBlogPage, isFolderPage, isMarkdown, isPartial } from './address.ts';

test.each([
  ['docs/intro/product_intro.md', undefined, '/docs/intro/product_intro'],
  ['docs/a/index.md', undefined, '/docs/a'],
  ['docs/a/_index.md', undefined, '/docs/a'],
  ['docs/README.md', undefined, '/docs'],
  ['docs/a/b.mdx', '/x/y', '/docs/x/y'],
  ['docs/a/b.md', 'c', '/docs/a/c'],
  ['docs/a/b.md', '/', '/docs'],
  ['docs/a/index.md', 'c', '/docs/a/c'],
  ['docs/b.md', 'c', '/docs/c'],
  ['docs/a/b.md', '  ', '/docs/a/b'],
  ['docs/a/b.md', 'https://example.org', '/docs/a/b'],
  ['docs/a/b.md', './../c//d/', '/docs/a/c/d'],
  ['docs/a/myindex.md', undefined, '/docs/a/myindex'],
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
  ['blog/2024-01-02-name/more/a.md', undefined, '/blog/2024-01-02-name/more/a'],
  ['blog/_posts/2024-01-02-name.markdown', undefined, '/blog/name'],
  ['blog/readme.md', undefined, '/blog/readme'],
  ['blog/a.md', 'b', '/blog/b'],
])('%s with slug %s is %s', (file, slug, address) => {
  expect(addressOf('post', file, slug)).toBe(address);
});

test.each([
  ['pages/markdown-page.md', undefined, '/markdown-page'],
  ['pages/index.md', undefined, '/'],
  ['pages/a/b.md', 'c', '/c'],
  ['pages/a/b.md', '/c', '/c'],
  ['blog/README.md', 'c', '/blog'],
])('page %s with slug %s is %s', (file, slug, address) => {
  expect(addressOf('page', file, slug)).toBe(address);
});

test('file names identify markdown, partials, folder pages and the blog page', () => {
  const of = (is: (file: string) => boolean, ...files: string[]) => files.filter(is);
  expect(of(isMarkdown, 'a.md', 'a.MDX', 'a.markdown', 'a.md.txt', 'amd')).toEqual(['a.md', 'a.MDX', 'a.markdown']);
  const parts = ['docs/_a.md', 'docs/_b/a.md', 'docs/_indexes.md', 'docs/_my_posts/a.md'];
  expect(of(isPartial, ...parts, 'docs/_index.md', 'blog/_posts/a.md', '_docs/a.md', 'docs/a_b.md')).toEqual(parts);
  expect(of(isFolderPage, 'a/README.mdx', '_index.md', 'a/index2.md', 'a/readme.txt')).toEqual([
    'a/README.mdx',
    '_index.md',
  ]);
  expect(of(isBlogPage, 'blog/index.md', 'blog/a/index.md', 'my/blog/index.md', 'blog/a.md')).toEqual([
    'blog/index.md',
  ]);
});

test.each([
  ['it\'s \u201cso\u201d "x"', 'its-so-x'],
  ['a  b', 'a-b'],
  ['.a b.', 'a-b'],
  ['a%20b', 'a-b'],
  ['100% a', '100-a'],
  ['~a.b_c-d', '~a.b_c-d'],
  ['Ä&ß', 'A-and-ss'],
  ['a 🎉 b', 'a-b'],
  ['中a', 'xn--fiq-a'],
])('%s becomes %s in an address', (name, segment) => {
  expect(cleanSegment(name)).toBe(segment);
});

test('names in other scripts become non-empty ASCII segments', () => {
  expect(cleanSegment('日本語')).toMatch(/^xn--[a-z0-9]+$/);
  expect(cleanSegment('???')).toBe('page');
});

test('the date of a post is read from its path', () => {
  expect(dateInPath('blog/2024-01-02-name.md')).toBe('2024-01-02');
  expect(dateInPath('blog/2024/01/02/name.md')).toBe('2024-01-02');
  expect(dateInPath('blog/2024-01-02.md')).toBe('2024-01-02');
  for (const none of ['name', 'x2024-01-02-name', '2024-01-02name', '2024-1-2-name'])
    expect(dateInPath(`blog/${none}.md`)).toBeUndefined();
});
