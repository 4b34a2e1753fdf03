import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../../testing/content-folder.ts';

const folder = testFolder('older-addresses');

test("another tool's addresses redirect to their page, unless a page has them", async () => {
  const post = (more: string) => `---\ntitle: Hello World!\ntags: [t]\nauthors: [desk]\n${more}\n---\nText\n`;
  writeFiles(join(folder, 'all'), {
    'docs/guide/file.md':
      '---\nid: named\n---\n[by id](/docs/guide/named) [alias](/old/Page/) [number](../ref/second.md)\n',
    'docs/guide/slugged.md': '---\nid: other\nslug: /short\n---\n',
    'docs/alias.md':
      '---\naliases: [/old/Page/, beside.html, /docs/guide/file, /pricing, https://example.com/x, //example.com/y, "/old/a:b", "/older/?page=2#part"]\n---\n',
    'docs/02-ref/01-second.md': '# Second\n',
    'docs/twin/twin.md': '# Twin\n',
    'docs/taken/one.md': '---\nid: two\n---\n# One\n',
    'docs/folder/index.md': '---\nid: none\n---\n# Folder\n',
    'docs/taken/two.md': '# Two\n',
    'blog/2024-01-02-first.md': post('slug: welcome'),
    'blog/deep/2024-02-03-second/index.md': post(''),
    'blog/_posts/2024-03-04-third.md': post('slug: /own/third'),
    'blog/posts/fourth.md': post('date: 2024-04-05'),
    'blog/fifth.md': post('date: 2024-05-06'),
  });
  const loader = testLoader(folder, 'all');
  const content = await loader.load();
  expect(Object.fromEntries(content.moved)).toEqual({
    '/docs/guide/named': '/docs/guide/file',
    '/old/Page': '/docs/alias',
    '/old/a:b': '/docs/alias',
    '/older': '/docs/alias',
    '/docs/beside': '/docs/alias',
    '/beside': '/docs/alias',
    '/docs/ref/second': '/docs/02-ref/01-second',
    '/docs/twin': '/docs/twin/twin',
    '/blog/2024/01/02/first': '/blog/welcome',
    '/blog/deep/2024/02/03/second': '/blog/deep/second',
    '/blog/2024/02/03/second': '/blog/deep/second',
    '/blog/2024/03/04/third': '/blog/own/third',
    '/blog/2024/04/05/fourth': '/blog/posts/fourth',
    '/blog/2024/04/05/hello-world': '/blog/posts/fourth',
  });
  expect(content.faults).toEqual([]);
  expect(JSON.stringify(content.body('/docs/guide/file').tree).match(/"href":"[^"]*"/g)).toEqual([
    ...['"href":"/docs/guide/file"', '"href":"/docs/alias"', '"href":"/docs/02-ref/01-second"'],
  ]);
  await loader.close();
});

test('a link may lead to an older address, but a redirect must not', async () => {
  writeFiles(join(folder, 'written'), { 'docs/a.md': '---\naliases: [/old]\n---\n' });
  const place = { file: 'navigation.yml', line: 1, column: 1 };
  const loader = testLoader(folder, 'written', {
    written: [
      { ...place, role: 'link', href: '/old' },
      { ...place, role: 'new', href: '/old' },
    ],
  });
  const { faults } = await loader.load();
  await loader.close();
  expect(faults.map(({ rule }) => rule)).toEqual(['redirect-chain']);
});
