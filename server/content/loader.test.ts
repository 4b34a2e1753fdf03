import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import type { Content } from './content.ts';

const folder = testFolder('content');

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"></svg>';
const post = (more: string) => `---\ntitle: Post\n${more}\n---\nIntro.\n\n<!-- more -->\n\nRest.`;
const tree: Record<string, string> = {
  'docs/a/sidebar.yml':
    'label: Group A\nposition: 2\nitems:\n  - a/two\n  - label: Sub\n    items:\n      - a/gone\n      - a/one\n',
  'docs/a/one.md': '---\ntitle: One\nid: first\n---\n## Part\n\n[two](two.md#x) [self](#part) [top](../b/index.md)\n',
  'docs/a/two.md':
    '---\ntitle: Two :brand\nslug: /second\nconnection: nosql\n---\n## X\n\n[by id](first) [gone](none.md) [no anchor](one.md#none)\n\n![P](p.svg) ![Q](q.svg)\n',
  'docs/a/p.svg': svg,
  'docs/a/unlisted.md':
    '# Unlisted\n\n[site](/pricing?x=1) [up](../../../../../etc/passwd) [future](../../blog/future.md)\n',
  'docs/b/_index.md': '+++\ntitle = "Group B"\nweight = 1\n+++\n[a](../a/unlisted/)\n',
  'docs/b/index.md': 'Second page of a folder\n',
  'docs/hidden.md': '---\nsidebar: false\n---\nHidden\n',
  'docs/draft.md': '---\ndraft: true\n---\nDraft\n',
  'docs/Ünï cödé.md': 'Odd name\n',
  'blog/x/new.md': post('date: 2024-05-01\ntags: [t]\nauthors: [desk]'),
  'blog/2023-01-02-old.md': post('tags: [unknown tag]\nauthors:\n  - name: Ann Other\n    title: Guest'),
  'blog/future.md': post('date: 2999-01-01\ntags: [t]\nauthors: [desk]'),
};

const rules = (content: Content) => content.faults.map(({ file, line, rule }) => `${file}:${line} ${rule}`);

test('a content tree is loaded with addresses, sidebar, neighbours, posts, faults and bodies', async () => {
  writeFiles(join(folder, 'one'), tree);
  writeFiles(join(folder, 'builtin-one'), { 'pages/about-md.md': '# About\n\n[gone](../docs/intro.md)\n' });
  symlinkSync('/etc/hostname', join(folder, 'one/docs/a/q.svg'));
  const loader = testLoader(folder, 'one', { builtInDir: join(folder, 'builtin-one') });
  const content = await loader.load();
  await check(content);
  await loader.close();
});

async function check(content: Content): Promise<void> {
  const addresses = [
    '/docs/Uni-code',
    '/docs/a/one',
    '/docs/a/unlisted',
    '/docs/b',
    '/docs/b-2',
    '/docs/hidden',
    '/docs/second',
  ];
  expect([...content.docs.keys()].toSorted()).toEqual(addresses);
  expect(content.sidebar.map(({ label }) => label)).toEqual(['Group B', 'Group A', 'Ünï cödé']);
  expect(content.sidebar[1]?.items).toEqual([
    { label: 'Two Testmill', href: '/docs/second' },
    { label: 'Sub', items: [{ label: 'One', href: '/docs/a/one' }] },
    { label: 'Unlisted', href: '/docs/a/unlisted' },
  ]);
  expect(content.docs.get('/docs/a/one')).toMatchObject({
    previous: { label: 'Two Testmill', href: '/docs/second' },
    next: { label: 'Unlisted', href: '/docs/a/unlisted' },
    breadcrumbs: [{ label: 'Group A' }, { label: 'Sub' }],
  });
  expect(content.docs.get('/docs/hidden')).toMatchObject({ hasSidebar: false, title: 'Hidden' });
  expect([...content.posts.values()].map(({ path, date }) => [path, date])).toEqual([
    ['/blog/x/new', '2024-05-01'],
    ['/blog/old', '2023-01-02'],
  ]);
  expect(content.years.map(({ year }) => year)).toEqual(['2024', '2023']);
  expect(content.authors.map(({ author }) => author.label)).toEqual(['Desk', 'Ann Other']);
  expect(content.posts.get('/blog/old')?.tags).toEqual([{ id: 'unknown-tag', label: 'unknown tag', description: '' }]);
  expect(rules(content)).toEqual([
    'blog/2023-01-02-old.md:3 unknown-tag',
    'docs/a/sidebar.yml:7 sidebar-item',
    'docs/a/two.md:4 unknown-connection',
    'docs/a/two.md:8 broken-link',
    'docs/a/two.md:8 missing-anchor',
    'docs/a/two.md:10 missing-image',
    'docs/a/unlisted.md:3 broken-link',
    'docs/a/unlisted.md:3 broken-link',
    'docs/b/index.md:1 duplicate-address',
  ]);
  const two = JSON.stringify(content.body('/docs/second').tree);
  expect(two).toContain('"href":"/docs/a/one"');
  expect(two).toMatch(/"src":"\/_content\/[0-9a-f]{10}\/p.svg".*"width":40,"height":20/);
  expect([...content.files.keys()]).toEqual([expect.stringMatching(/p\.svg$/)]);
  expect(JSON.stringify(content.body('/docs/a/one').tree)).toContain('"href":"/docs/second#x"');
  expect(JSON.stringify(content.body('/about-md').tree)).not.toContain('"href"');
  expect(content.markdownPages.get('about-md')?.title).toBe('About');
  expect(await content.source('/docs/second', 'https://site.example')).toMatch(/^# Two Testmill\n\n## X/);
}

test('a second start compiles nothing and gives the same content', async () => {
  const loader = testLoader(folder, 'one');
  const content = await loader.load();
  expect(content.stats).toMatchObject({ compiled: 0 });
  expect(content.docs.size).toBe(7);
  await loader.close();
});

test('a reload compiles changed files, adds new ones and removes deleted ones', async () => {
  writeFiles(join(folder, 'two'), { 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' });
  const root = join(folder, 'two');
  const loader = testLoader(folder, 'two', { production: false });
  const first = await loader.load();
  writeFiles(root, { 'docs/a.md': '# A2\n\n[c](c.md)\n', 'docs/c.md': '# C\n' });
  rmSync(join(root, 'docs/b.md'));
  const second = await loader.reload([join(root, 'docs/a.md'), 'docs/c.md', join(root, 'docs/b.md')]);
  expect(second.stats.compiled).toBe(2);
  expect([...second.docs.values()].map(({ title }) => title)).toEqual(['A2', 'C']);
  expect(second.faults).toEqual([]);
  expect(second.version).not.toBe(first.version);
  expect(first.docs.get('/docs/b')?.title).toBe('B');
  await loader.close();
});

test('Windows and old Mac line endings are accepted', async () => {
  writeFiles(join(folder, 'ends'), { 'docs/a.md': '---\r\ntitle: A\r\n---\r\nOne\r\n\r\nTwo\rmore\r\n' });
  const loader = testLoader(folder, 'ends');
  const content = await loader.load();
  expect(content.docs.get('/docs/a')?.title).toBe('A');
  expect(content.body('/docs/a').text).toBe('One\nTwo\nmore');
  expect(await content.source('/docs/a', 'https://site.example')).toBe('# A\n\nOne\n\nTwo\nmore\n');
  await loader.close();
});

test('a page that cannot be compiled does not affect other pages', async () => {
  writeFiles(join(folder, 'three'), { 'docs/a.md': '# A\n', 'docs/deep.md': `# Deep\n\n${'> '.repeat(2000)}x` });
  const loader = testLoader(folder, 'three');
  const content = await loader.load();
  expect(content.docs.get('/docs/deep')?.broken).toHaveLength(1);
  expect(content.docs.get('/docs/a')?.broken).toBeUndefined();
  expect(rules(content)).toEqual(['docs/deep.md:1 broken-page']);
  await loader.close();
});

test('links find the named anchors of older HTML', async () => {
  writeFiles(join(folder, 'four'), {
    'docs/a.md': '<a name="old"></a>\n\nText\n\n[here](#old)\n',
    'docs/b.md': '[there](a.md#old)\n',
  });
  const loader = testLoader(folder, 'four');
  const content = await loader.load();
  expect(rules(content)).toEqual([]);
  const here = JSON.stringify(content.body('/docs/a').tree);
  const id = /"id":"([^"]*old)"/.exec(here)?.[1];
  expect(here).toContain(`"href":"#${id}"`);
  expect(JSON.stringify(content.body('/docs/b').tree)).toContain(`"href":"/docs/a#${id}"`);
  await loader.close();
});

test('external links stay, and a link with a URL in its query leads to the page', async () => {
  writeFiles(join(folder, 'schemes'), {
    'docs/a.md': '[a](https://b.example/b.md) [b](//b.example/b.md) [c](b.md?from=https://b.example)\n',
    'docs/b.md': '# B\n',
  });
  const loader = testLoader(folder, 'schemes');
  const content = await loader.load();
  const tree = JSON.stringify(content.body('/docs/a').tree);
  const hrefs = ['https://b.example/b.md', '//b.example/b.md', '/docs/b?from=https://b.example'];
  expect([...tree.matchAll(/"href":"([^"]*)"/g)].map(([, href]) => href)).toEqual(hrefs);
  expect(rules(content)).toEqual([]);
  await loader.close();
});

test('an empty content folder has no pages', async () => {
  const loader = testLoader(folder, 'nothing');
  const content = await loader.load();
  expect([content.docs.size, content.posts.size, content.sidebar.length]).toEqual([0, 0, 0]);
  await loader.close();
});

test('the blog folder page introduces the list of posts and is not a post', async () => {
  writeFiles(join(folder, 'blog-page'), {
    'docs/a.md': '# A\n\n[blog](../blog/index.md)\n',
    'blog/index.md': '# News\n\nAll of it.\n',
    'blog/README.md': '# How to write posts\n',
    'blog/2024-01-02-first.md': post('tags: [t]\nauthors: [desk]'),
  });
  const loader = testLoader(folder, 'blog-page');
  const content = await loader.load();
  expect([...content.posts.keys()].toSorted()).toEqual(['/blog/README', '/blog/first']);
  expect(content.markdownPages.get('blog')).toMatchObject({ title: 'News', description: 'All of it.' });
  expect(content.body('/blog').text).toBe('All of it.');
  expect(JSON.stringify(content.body('/docs/a').tree)).toContain('"href":"/blog"');
  await loader.close();
});

test('a start that changes nothing leaves the cache file unchanged', async () => {
  writeFiles(join(folder, 'same'), { 'docs/a.md': '# A\n\n![P](p.svg)\n', 'docs/p.svg': svg });
  const first = testLoader(folder, 'same');
  await first.load();
  await first.close();
  const file = join(folder, 'same-data/content-cache.sqlite');
  const before = readFileSync(file);
  const second = testLoader(folder, 'same');
  await second.load();
  await second.close();
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a changed frame id recompiles every page on the next start', async () => {
  const { frameIds } = await import('../../client/contract/frame-ids.ts');
  vi.doMock('../../client/contract/frame-ids.ts', async (original) => ({
    ...(await original<object>()),
    frameIds: { ...frameIds, main: 'content' },
  }));
  vi.resetModules();
  const changed = await import('../testing/content-folder.ts');
  const loader = changed.testLoader(folder, 'same');
  expect((await loader.load()).stats).toMatchObject({ compiled: 1 });
  await loader.close();
});

test('a page of unknown draft status or date is withheld in production and reported', async () => {
  writeFiles(join(folder, 'withheld'), {
    'docs/a.md': '---\ntitle: A\ndraft: yes\n---\nA\n',
    'docs/b.md': '---\ntitle: B\ndraft: true\n\nB\n',
    'docs/shown.md': '---\ntitle: C\nweight: first\n---\nC\n',
    'blog/a.md': post('date: 2999-01-01\ntags: [t'),
    'blog/b.md': post('date: 2999-13-01\ntags: [t]\nauthors: [desk]'),
  });
  const loader = testLoader(folder, 'withheld');
  const content = await loader.load();
  expect([...content.docs.keys(), ...content.posts.keys()]).toEqual(['/docs/shown']);
  expect([...new Set(rules(content))]).toEqual([
    'blog/a.md:4 yaml',
    'blog/b.md:3 schema',
    'docs/a.md:3 schema',
    'docs/b.md:1 front-matter',
    'docs/shown.md:3 schema',
  ]);
  await loader.close();
  const written = testLoader(folder, 'withheld', { production: false });
  expect([...(await written.load()).docs.keys()]).toEqual(['/docs/a', '/docs/b', '/docs/shown']);
  await written.close();
});
