import { describe, expect, test, vi } from 'vitest';
import { readSiteData } from '../content/data/site-data.ts';
import { tinyContent } from '../testing/tiny-content.ts';
import type { SiteSources } from './props/site-sources.ts';
import { createFindPage } from './routes.ts';
import { SearchIndex } from './search/search-index.ts';
import { listUrls } from './urls.ts';

const content = tinyContent();
const { data } = readSiteData('content', 'content', 'millrace');

function finder(changes: Partial<SiteSources> = {}) {
  const search = () => SearchIndex.build(content);
  const sources = { content, data, history: { updated: new Map<string, string>() }, search, ...changes };
  const findPage = createFindPage(sources, listUrls(sources));
  return (path: string, query = '') => findPage(path, new URLSearchParams(query));
}

const find = finder();

describe('public pages', () => {
  // Spelled out, so that no change of the table goes unnoticed.
  test.each([
    ['/', 'index'],
    ['/why', 'why'],
    ['/connector', 'connector'],
    ['/solution1', 'solution1'],
    ['/solution2', 'solution2'],
    ['/pricing', 'pricing'],
    ['/about', 'about'],
    ['/login', 'login'],
    ['/register', 'register'],
    ['/registerFromMarket', 'registerFromMarket'],
    ['/resetPwd', 'resetPwd'],
    ['/markdown-page', 'markdown-page'],
    ['/loading', 'loading'],
    ['/404', '404'],
    ['/search', 'search'],
  ])('%s is shown by %s', async (path, folder) => {
    expect(await find(path)).toMatchObject({ kind: 'page', folder, status: path === '/404' ? 404 : 200, route: path });
  });

  test('are matched exactly, case included', async () => {
    for (const path of ['/Why', '/why/more', '/solution3', '/product', '/pricing/'])
      expect(await find(path)).toMatchObject({ status: 404, folder: '404', route: '(not found)' });
  });

  test('are not found by the names of object properties', async () => {
    for (const path of ['constructor', '__proto__', '/toString'])
      expect(await find(path)).toMatchObject({ status: 404 });
  });
});

describe('documents and posts', () => {
  test('/docs redirects to the first document', async () => {
    expect(await find('/docs')).toMatchObject({ kind: 'redirect', to: '/docs/intro/product_intro' });
  });

  test.each(['/blog', '/blog/archive', '/blog/authors', '/blog/tags'])('%s is a page', async (path) => {
    expect(await find(path)).toMatchObject({ kind: 'page', status: 200, folder: path.slice(1) });
  });

  test('authors, tags, posts and documents are found by their address', async () => {
    expect(await find('/blog/authors/desk')).toMatchObject({ folder: 'blog/author', status: 200 });
    expect(await find('/blog/tags/ai')).toMatchObject({ folder: 'blog/tag', status: 200 });
    expect(await find('/blog/blog/first')).toMatchObject({ folder: 'blog/post', status: 200 });
    expect(await find('/docs/connection/mysql')).toMatchObject({ folder: 'docs', status: 200 });
    expect(await find('/blog/tags/nothing')).toMatchObject({ status: 404 });
    expect(await find('/blog/authors/nobody')).toMatchObject({ status: 404 });
  });

  test('a moved address redirects permanently', async () => {
    expect(await find('/docs/quick')).toMatchObject({
      kind: 'redirect',
      status: 301,
      to: '/docs/quick/quick_start_mgr',
    });
    expect(await find('/docs/old/mysql')).toMatchObject({
      kind: 'redirect',
      status: 301,
      to: '/docs/connection/mysql',
    });
  });
});

describe('queries', () => {
  test('only declared parameters select another page', async () => {
    expect(await find('/pricing', 'utm=x')).toMatchObject({ cacheKey: '/pricing' });
    expect(await find('/docs/connection/mysql', 'target=kafka')).toMatchObject({
      cacheKey: '/docs/connection/mysql?target=kafka',
      props: { target: 'kafka' },
      meta: { title: 'MySQL to Kafka', canonical: '/docs/connection/mysql' },
    });
    expect(await find('/docs/connection/mysql', 'target=nonsense')).toMatchObject({
      cacheKey: '/docs/connection/mysql',
    });
  });

  test('connector filters narrow the list, and free text is not cached', async () => {
    const streams = await find('/connector', 'kind=streaming&role=target');
    expect(streams).toMatchObject({
      cacheKey: '/connector?kind=streaming&role=target',
      props: { filter: { kind: 'streaming', role: 'target' } },
    });
    const named = await find('/connector', 'q=MySQL');
    expect(named).not.toHaveProperty('cacheKey');
    expect(named).toMatchObject({
      meta: { indexed: false },
      props: { found: expect.arrayContaining([expect.objectContaining({ id: 'mysql' })]) },
    });
    expect(await find('/connector', 'q=no-such-engine')).toMatchObject({ props: { found: [] } });
  });
});

test('a search finds its results only when its page is rendered', async () => {
  const found = await find('/search', 'q=heartbeats');
  if (found.kind !== 'page') throw new Error('The search is a page.');
  expect(await found.moreProps?.()).toMatchObject({ results: expect.anything() });
  expect(await find('/why')).not.toHaveProperty('moreProps');
});

test('an unknown address lists the nearest pages, found when its page is rendered', async () => {
  const found = await find('/docs/conection/mysql');
  expect(found).toMatchObject({ status: 404, props: { wanted: '/docs/conection/mysql', nearest: [] } });
  expect(found.kind === 'page' && (await found.moreProps?.())).toEqual({
    nearest: expect.arrayContaining([{ label: 'MySQL', href: '/docs/connection/mysql' }]),
  });
});

test('neither /404 nor /loading is suggested for an unknown address', async () => {
  for (const path of ['/lodaing', '/40', '/404x']) {
    const found = await find(path);
    expect(found).toMatchObject({ status: 404, folder: '404', route: '(not found)' });
    expect(JSON.stringify(found)).not.toMatch(/"href":"\/(?:loading|404)"/);
  }
});

test('/docs redirects to another document if the first is missing, and is unknown without any', async () => {
  const docs = new Map([...content.docs].filter(([path]) => path === '/docs/connection/mysql'));
  const [mysql] = content.order.filter(({ href }) => href === '/docs/connection/mysql');
  const fewer = finder({ content: { ...content, docs, order: mysql ? [mysql] : [] } });
  expect(await fewer('/docs')).toEqual({ kind: 'redirect', status: 302, to: '/docs/connection/mysql', route: '/docs' });
  const none = finder({ content: { ...content, docs: new Map(), order: [] } });
  expect(await none('/docs')).toMatchObject({ kind: 'page', status: 404 });
});

test('a moved address is logged as moved', async () => {
  expect(await find('/docs/quick')).toMatchObject({ route: '(moved)' });
});

test('a table without a not-found page is an error', async () => {
  const history = { updated: new Map<string, string>() };
  const lost = createFindPage({ content, data, history, search: () => SearchIndex.build(content) }, new Map());
  await expect(lost('/nowhere', new URLSearchParams())).rejects.toThrow('not-found page');
});

test('the pages to suggest for unknown addresses are collected once', async () => {
  const sources = {
    content,
    data,
    history: { updated: new Map<string, string>() },
    search: () => SearchIndex.build(content),
  };
  const urls = listUrls(sources);
  const gather = vi.spyOn(urls, 'values');
  const findWatched = createFindPage(sources, urls);
  const pages = await Promise.all(
    ['/docs/conection/mysql', '/nowhere', '/blog/frst'].map((path) => findWatched(path, new URLSearchParams())),
  );
  // A request that is refused before its page is drawn costs none of the work.
  expect(gather).not.toHaveBeenCalled();
  for (const found of pages) if (found.kind === 'page') await found.moreProps?.();
  expect(gather).toHaveBeenCalledTimes(1);
});

test('dated release notes form the timeline', async () => {
  expect(await find('/about')).toMatchObject({
    props: { releases: [{ version: '0.1.0', date: '2024-10-31', href: '/docs/releaseNote/rn-0-1-0' }] },
  });
});

test('a document shows its last change and edit link if they are known', async () => {
  const history = {
    updated: new Map([['docs/connection/mysql.md', '2025-03-01']]),
    editUrl: 'https://git.example/edit',
  };
  expect(await finder({ history })('/docs/connection/mysql')).toMatchObject({
    props: { doc: { updated: '2025-03-01', editHref: 'https://git.example/edit/docs/connection/mysql.md' } },
  });
  expect(await find('/docs/connection/mysql')).not.toMatchObject({ props: { doc: { updated: expect.anything() } } });
});

test('in development a page lists the faults of its own file', async () => {
  const fault = {
    file: 'docs/connection/mysql.md',
    line: 2,
    column: 8,
    rule: 'yaml',
    message: 'This is not valid YAML.',
  };
  const faulty = { ...content, faults: [fault, { ...fault, file: 'docs/other.md' }] };
  const doc = (showFaults: boolean) => {
    const history = { updated: new Map<string, string>(), showFaults };
    return finder({ content: faulty, history })('/docs/connection/mysql');
  };
  expect(await doc(true)).toMatchObject({ props: { doc: { faults: ['2:8 This is not valid YAML.'] } } });
  expect(await doc(false)).not.toMatchObject({ props: { doc: { faults: expect.anything() } } });
});

test('the console has a shell at each of its addresses, and at no other', async () => {
  for (const path of ['/console', '/console/billing'])
    expect(await find(path)).toMatchObject({ kind: 'page', status: 200, folder: 'console' });
  for (const path of ['/consoles', '/console/nothing', '/console/Billing'])
    expect(await find(path)).toMatchObject({ status: 404 });
});
