import { describe, expect, test } from 'vitest';
import { readSiteData } from '../content/data/site-data.ts';
import { tinyContent } from '../testing/tiny-content.ts';
import { blogPages, publicPages } from './addresses.ts';
import { createFindPage } from './routes.ts';

const content = tinyContent();
const { data } = readSiteData('content', 'content', 'millrace');
const findPage = createFindPage(content, data);
const find = (path: string, query = '') => findPage(path, new URLSearchParams(query));

describe('public pages', () => {
  test.each(Object.entries(publicPages))('%s is shown by its own folder', (path, folder) => {
    expect(find(path)).toMatchObject({ kind: 'page', folder, status: path === '/404' ? 404 : 200 });
  });

  test('are matched exactly, case included', () => {
    for (const path of ['/Why', '/why/more', '/solution3', '/product', '/pricing/'])
      expect(find(path)).toMatchObject({ status: 404, folder: '404' });
  });

  test('are not found by names every object has', () => {
    for (const path of ['constructor', '__proto__', '/toString']) expect(find(path)).toMatchObject({ status: 404 });
  });
});

describe('documents and posts', () => {
  test('/docs leads to the first document', () => {
    expect(find('/docs')).toMatchObject({ kind: 'redirect', to: '/docs/intro/product_intro' });
  });

  test.each(Object.entries(blogPages))('%s', (path, folder) => {
    expect(find(path)).toMatchObject({ kind: 'page', status: 200, folder });
  });

  test('authors, tags, posts and documents by their address', () => {
    expect(find('/blog/authors/desk')).toMatchObject({ folder: 'blog/author', status: 200 });
    expect(find('/blog/tags/ai')).toMatchObject({ folder: 'blog/tag', status: 200 });
    expect(find('/blog/blog/first')).toMatchObject({ folder: 'blog/post', status: 200 });
    expect(find('/docs/connection/mysql')).toMatchObject({ folder: 'docs', status: 200 });
    expect(find('/blog/tags/nothing')).toMatchObject({ status: 404 });
    expect(find('/blog/authors/nobody')).toMatchObject({ status: 404 });
  });

  test('a moved address redirects for good', () => {
    expect(find('/docs/quick')).toMatchObject({ kind: 'redirect', status: 301, to: '/docs/quick/quick_start_mgr' });
  });
});

describe('queries', () => {
  test('only declared parameters make another page', () => {
    expect(find('/pricing', 'utm=x')).toMatchObject({ cacheKey: 'page:pricing' });
    expect(find('/docs/connection/mysql', 'target=kafka')).toMatchObject({
      cacheKey: '/docs/connection/mysql?target=kafka',
      props: { target: 'kafka' },
    });
    expect(find('/docs/connection/mysql', 'target=nonsense')).toMatchObject({ cacheKey: '/docs/connection/mysql' });
  });

  test('connector filters leave what fits them, and free text is not cached', () => {
    const streams = find('/connector', 'kind=streaming&role=target');
    expect(streams).toMatchObject({
      cacheKey: '/connector?kind=streaming&role=target',
      props: { filter: { kind: 'streaming', role: 'target' } },
    });
    const named = find('/connector', 'q=MySQL');
    expect(named).not.toHaveProperty('cacheKey');
    expect(named).toMatchObject({
      props: { found: expect.arrayContaining([expect.objectContaining({ id: 'mysql' })]) },
    });
    expect(find('/connector', 'q=no-such-engine')).toMatchObject({ props: { found: [] } });
  });
});

test('an unknown address names the nearest pages', () => {
  expect(find('/docs/conection/mysql')).toMatchObject({
    status: 404,
    props: {
      wanted: '/docs/conection/mysql',
      nearest: expect.arrayContaining([{ label: 'MySQL', href: '/docs/connection/mysql' }]),
    },
  });
});

test('the pages an unknown address may mean are gathered once', () => {
  let gathered = 0;
  const watched = {
    ...content,
    get order() {
      gathered += 1;
      return content.order;
    },
  };
  const findWatched = createFindPage(watched, data);
  for (const path of ['/docs/conection/mysql', '/nowhere', '/blog/frst']) findWatched(path, new URLSearchParams());
  expect(gathered).toBe(1);
});

test('release notes with a date make the time line', () => {
  expect(find('/about')).toMatchObject({
    props: { releases: [{ version: '0.1.0', date: '2024-10-31', href: '/docs/releaseNote/rn-0-1-0' }] },
  });
});

test('a document tells its last change and where it is edited, when these are known', () => {
  const history = {
    updated: new Map([['docs/connection/mysql.md', '2025-03-01']]),
    editUrl: 'https://git.example/edit',
  };
  const known = createFindPage(content, data, history)('/docs/connection/mysql', new URLSearchParams());
  expect(known).toMatchObject({
    props: { doc: { updated: '2025-03-01', editHref: 'https://git.example/edit/docs/connection/mysql.md' } },
  });
  expect(find('/docs/connection/mysql')).not.toMatchObject({ props: { doc: { updated: expect.anything() } } });
});

test('in development a page names the faults of its own file', () => {
  const fault = { file: 'docs/connection/mysql.md', line: 2, column: 8, rule: 'yaml', message: 'This is not YAML.' };
  const faulty = { ...content, faults: [fault, { ...fault, file: 'docs/other.md' }] };
  const doc = (showFaults: boolean) => {
    const history = { updated: new Map<string, string>(), editUrl: undefined, showFaults };
    return createFindPage(faulty, data, history)('/docs/connection/mysql', new URLSearchParams());
  };
  expect(doc(true)).toMatchObject({ props: { doc: { faults: ['2:8 This is not YAML.'] } } });
  expect(doc(false)).not.toMatchObject({ props: { doc: { faults: expect.anything() } } });
});

test('the console is reserved and leads to the sign-in page', () => {
  for (const path of ['/console', '/console/billing'])
    expect(find(path)).toMatchObject({ kind: 'redirect', status: 302, to: '/login' });
  expect(find('/consoles')).toMatchObject({ status: 404 });
});
