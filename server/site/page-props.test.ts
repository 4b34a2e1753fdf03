import { describe, expect, test } from 'vitest';
import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import type { Content, DocEntry } from '../content/content.ts';
import { readSiteData } from '../content/data/site-data.ts';
import { tinyContent } from '../testing/tiny-content.ts';
import type { History, SiteSources } from './props/site-sources.ts';
import { createFindPage } from './routes.ts';
import { SearchIndex } from './search/search-index.ts';
import { listUrls } from './urls.ts';

// What the pages in the URL table show.

const { data } = readSiteData('content', 'content', 'millrace');
const tiny = tinyContent();

function connector(id: string, kind: string, name: string, more: Partial<Connector> = {}): Connector {
  const none = { description: '', versions: [], tested: [], targets: [], sources: [] };
  return { id, kind, name, label: 'planned', ...none, ...more };
}

const catalogue: Catalogue = {
  kinds: [
    { id: 'database', label: 'Database' },
    { id: 'streaming', label: 'Streaming' },
  ],
  connectors: [
    connector('postgres', 'database', 'PostgreSQL', { targets: ['mysql'] }),
    connector('mysql', 'database', 'MySQL', { targets: ['kafka'], sources: ['postgres'] }),
    connector('kafka', 'streaming', 'Apache Kafka', { sources: ['mysql'] }),
    connector('red-panda', 'streaming', 'Redpanda'),
  ],
  functions: {},
  proved: {},
};

function finder({ content = tiny, history = {} }: { content?: Content; history?: Partial<History> } = {}) {
  const sources: SiteSources = {
    content,
    data: { ...data, catalogue },
    history: { updated: new Map(), ...history },
    search: () => SearchIndex.build(content),
  };
  const find = createFindPage(sources, listUrls(sources));
  return async (path: string, query = '') => {
    const found = await find(path, new URLSearchParams(query));
    if (found.kind !== 'page') throw new Error(`${path} shows no page.`);
    return found;
  };
}

const find = finder();

/** The tiny content with other documents, each with a body. */
function withDocs(...docs: (Partial<DocEntry> & { path: string })[]): Content {
  const [first] = tiny.docs.values();
  if (!first) throw new Error('The tiny content has documents.');
  const { date: _, ...plain } = first;
  return {
    ...tiny,
    docs: new Map(docs.map((doc) => [doc.path, { ...plain, ...doc }])),
    body: () => tiny.body(first.path),
  };
}

describe('/connector', () => {
  const all = ['postgres', 'mysql', 'kafka', 'red-panda'];

  test.each([
    ['', {}, all],
    ['kind=streaming', { kind: 'streaming' }, ['kafka', 'red-panda']],
    ['role=source', { role: 'source' }, ['postgres', 'mysql']],
    ['role=target', { role: 'target' }, ['mysql', 'kafka']],
    ['kind=streaming&role=target', { kind: 'streaming', role: 'target' }, ['kafka']],
    ['kind=streaming&role=source', { kind: 'streaming', role: 'source' }, []],
    // A value that no filter offers is ignored.
    ['kind=none&role=both', {}, all],
  ])('?%s shows the matching connectors, and is cached by its filters', async (query, filter, left) => {
    const page = await find('/connector', query);
    expect(page.props).toMatchObject({ found: left.map((id) => ({ id })) });
    expect(page.props.filter).toEqual(filter);
    const { kind = '', role = '' }: { kind?: string; role?: string } = filter;
    expect([page.cacheKey, page.meta.indexed]).toEqual([`/connector?kind=${kind}&role=${role}`, true]);
  });

  test.each([
    ['q=SQL', 'SQL', ['postgres', 'mysql']],
    ['q=%20apache%20', 'apache', ['kafka']],
    ['q=red-p', 'red-p', ['red-panda']],
    ['q=sql&role=target', 'sql', ['mysql']],
    ['q=sql&kind=streaming', 'sql', []],
    [`q=${'x'.repeat(100)}`, 'x'.repeat(80), []],
  ])('?%s finds names and ids, and is neither cached nor indexed', async (query, q, left) => {
    const page = await find('/connector', query);
    expect(page.props).toMatchObject({ filter: { q }, found: left.map((id) => ({ id })) });
    expect(page.cacheKey).toBeUndefined();
    expect(page.meta.indexed).toBe(false);
  });

  test('spaces alone are not a search text', async () => {
    const page = await find('/connector', 'q=%20%20');
    expect([page.props.filter, page.cacheKey]).toEqual([{}, '/connector?kind=&role=']);
  });
});

describe('a document', () => {
  const mysql = '/docs/connection/mysql';

  test('about a connection is shown for a target that its system supports', async () => {
    expect(await find(mysql, 'target=kafka')).toMatchObject({
      cacheKey: `${mysql}?target=kafka`,
      props: { target: 'kafka' },
      meta: { title: 'MySQL to Apache Kafka' },
    });
  });

  test.each([
    ['that its system does not support', mysql, 'mysql'],
    ['that is unknown', mysql, 'none'],
    ['if it is not about a connection', '/docs/intro/product_intro', 'mysql'],
  ])('is the same for a target %s', async (_, path, target) => {
    const page = await find(path, `target=${target}`);
    expect(page).toEqual(await find(path));
    expect(page.cacheKey).toBe(path);
    expect(page.props).not.toHaveProperty('target');
  });

  test('shows the date of its last change and the edit link', async () => {
    const content = withDocs({ path: '/docs/a', file: 'docs/A b/ü.md' });
    const history = { updated: new Map([['docs/A b/ü.md', '2026-01-31']]), editUrl: 'https://git.example/edit' };
    const { doc } = (await finder({ content, history })('/docs/a')).props;
    expect(doc).toMatchObject({ updated: '2026-01-31', editHref: 'https://git.example/edit/docs/A%20b/%C3%BC.md' });
    const { doc: plain } = (await finder({ content })('/docs/a')).props;
    expect(Object.keys(plain ?? {})).not.toContain('updated');
    expect(Object.keys(plain ?? {})).not.toContain('editHref');
  });

  test('does not list in development that it is broken, which the page shows itself', async () => {
    const fault = { file: 'docs/connection/mysql.md', line: 1, column: 2, message: 'Broken.', rule: 'broken-page' };
    const history = { showFaults: true };
    const { doc } = (await finder({ content: { ...tiny, faults: [fault] }, history })(mysql)).props;
    expect(doc).not.toHaveProperty('faults');
  });
});

test('/about lists dated and planned releases, newest first', async () => {
  const of = '/docs/releaseNote';
  const content = withDocs(
    { path: `${of}/rn-0-9-0`, date: '2026-01-01', description: 'Nine.' },
    { path: `${of}/rn-0-10-0`, planned: { release: '0.10.0' }, description: 'Ten.' },
    { path: `${of}/rn-10-0-12`, planned: { release: '10.0.12' }, description: 'Far.' },
    { path: `${of}/rn-0-8-0`, description: 'Forgotten.' },
    { path: `${of}/rn-0-8-0-more`, date: '2026-01-01' },
    { path: `/docs/archive${of}/rn-0-7-0`, date: '2026-01-01' },
    { path: '/docs/intro', date: '2026-01-01' },
  );
  expect((await finder({ content })('/about')).props.releases).toEqual([
    { version: '10.0.12', href: `${of}/rn-10-0-12`, description: 'Far.' },
    { version: '0.10.0', href: `${of}/rn-0-10-0`, description: 'Ten.' },
    { version: '0.9.0', href: `${of}/rn-0-9-0`, description: 'Nine.', date: '2026-01-01' },
  ]);
});

describe('posts', () => {
  const cards = Array.from({ length: 5 }, (_, at) => {
    const [first] = tiny.posts.values();
    if (!first) throw new Error('The tiny content has posts.');
    return { ...first, path: `/blog/p${at}`, title: `Post ${at}`, file: `blog/p${at}.md` };
  });
  const tag = (id: string) => ({ id, label: id, description: '' });
  const content: Content = {
    ...tiny,
    posts: new Map(cards.map((card) => [card.path, card])),
    tags: [
      { tag: tag('other'), posts: cards.slice(0, 1) },
      { tag: tag('tech_share'), posts: cards.slice(1) },
    ],
    body: () => tiny.body('/blog/ai/second'),
  };
  const years = [
    { year: '2025', posts: [{ label: 'Second post', href: '/blog/ai/second' }] },
    { year: '2024', posts: [{ label: 'First post', href: '/blog/blog/first' }] },
  ];

  test('the home page shows the newest three, a solution page those of its tag', async () => {
    const shown = async (path: string) => (await finder({ content })(path)).props.posts;
    expect(await shown('/')).toEqual(cards.slice(0, 3));
    expect(await shown('/solution1')).toEqual(cards.slice(1, 4));
    expect((await find('/solution1')).props.posts).toEqual([]);
  });

  test('a solution page links to its documents if they exist', async () => {
    expect((await find('/solution1')).props.docs).toEqual([]);
    const there = withDocs({ path: '/docs/intro/product_scenarios', title: 'Scenarios' });
    expect((await finder({ content: there })('/solution1')).props.docs).toEqual([
      { label: 'Scenarios', href: '/docs/intro/product_scenarios' },
    ]);
  });

  test('a post is shown with the list of all posts, in development with its faults', async () => {
    const { props } = await find('/blog/ai/second');
    expect(props).toMatchObject({ post: { title: 'Second post', text: 'Second post text about heartbeats' }, years });
    expect(props.post).not.toHaveProperty('faults');
    const fault = { file: 'blog/ai/second.md', line: 3, column: 1, message: 'No such page.', rule: 'link' };
    const faulty = finder({ content: { ...tiny, faults: [fault] }, history: { showFaults: true } });
    expect((await faulty('/blog/ai/second')).props).toMatchObject({ post: { faults: ['3:1 No such page.'] } });
  });

  test('/blog shows all posts below its introduction, if the content has one', async () => {
    const plain = await find('/blog');
    expect(plain.props).toEqual({
      title: plain.meta.title,
      lede: plain.meta.description,
      posts: [...tiny.posts.values()],
      years,
    });
    const page = { title: 'Our blog', description: 'Of mills.', file: 'blog/index.md' };
    const markdownPages = new Map([['blog', page]]);
    const introduced = finder({ content: { ...tiny, markdownPages, body: () => tiny.body('/markdown-page') } });
    const { props, meta } = await introduced('/blog');
    expect(meta).toMatchObject({ title: 'Our blog', description: 'Of mills.' });
    expect(props).toMatchObject({
      title: 'Our blog',
      lede: 'Of mills.',
      page: { title: 'Our blog', text: 'A page of markdown' },
    });
  });

  test('tag and author lists count posts and have the sidebar', async () => {
    expect((await find('/blog/tags')).props).toMatchObject({ tags: [{ id: 'ai', label: 'AI', posts: 2 }], years });
    expect((await find('/blog/authors')).props).toMatchObject({ authors: [{ name: 'desk', posts: 2 }], years });
    for (const path of ['/blog/tags/ai', '/blog/authors/desk'])
      expect((await find(path)).props).toMatchObject({ posts: [...tiny.posts.values()], years });
    expect((await find('/blog/tags/ai')).props).toMatchObject({ tag: { id: 'ai' } });
    expect((await find('/blog/authors/desk')).props).toMatchObject({ author: { name: 'desk' } });
    expect((await find('/blog/archive')).props).toMatchObject({ years: tiny.years });
  });

  test('a tag and an author have the description that the content gives them', async () => {
    const described: Content = {
      ...tiny,
      tags: tiny.tags.map((entry) => ({ ...entry, tag: { ...entry.tag, description: 'Of models.' } })),
      authors: tiny.authors.map((entry) => ({ ...entry, author: { ...entry.author, description: 'Writes.' } })),
    };
    const meta = async (path: string) => [
      (await find(path)).meta.description,
      (await finder({ content: described })(path)).meta.description,
    ];
    expect(await meta('/blog/tags/ai')).toEqual(['Posts tagged AI.', 'Of models.']);
    expect(await meta('/blog/authors/desk')).toEqual([expect.stringContaining('Desk'), 'Writes.']);
  });
});

describe('search engines', () => {
  test('index the readable pages, and neither lists nor the rest', async () => {
    const listing = async (path: string) => {
      const { meta } = await find(path);
      return [meta.indexed, meta.canonical];
    };
    for (const path of ['/', '/why', '/login', '/markdown-page', '/docs/connection/mysql', '/blog', '/blog/ai/second'])
      expect(await listing(path)).toEqual([true, path]);
    for (const path of ['/blog/archive', '/blog/authors', '/blog/authors/desk', '/blog/tags', '/blog/tags/ai'])
      expect(await listing(path)).toEqual([false, path]);
    for (const path of ['/registerFromMarket', '/resetPwd', '/loading', '/search', '/404', '/console'])
      expect(await listing(path)).toEqual([false, undefined]);
  });

  test('get an encoded canonical address', async () => {
    const content = withDocs({ path: '/docs/ü b' });
    expect((await finder({ content })('/docs/ü b')).meta.canonical).toBe('/docs/%C3%BC%20b');
  });
});

test('markdown pages, account panels and the console get their own props', async () => {
  expect((await find('/markdown-page')).props).toMatchObject({ page: { text: 'A page of markdown' } });
  const panels = ['/login', '/register', '/registerFromMarket', '/resetPwd'];
  const { account } = data.texts;
  expect(await Promise.all(panels.map(async (path) => (await find(path)).props.panel))).toEqual([
    account.account,
    account.account,
    account.market,
    account.reset,
  ]);
  expect((await find('/why')).props).toEqual({ text: data.texts.why });
  expect((await find('/pricing')).props).toEqual({ text: data.texts.pricing, pricing: data.pricing });
  const consolePage = await find('/console');
  expect(consolePage.props).toEqual({ title: consolePage.meta.title });
  expect(consolePage.meta.description).not.toBe('');
  expect((await find('/404')).props).toMatchObject({ wanted: '/404' });
  expect(await find('/docs/none')).not.toHaveProperty('cacheKey');
});

test('a built-in page is not hidden by a post at its address', async () => {
  const [first] = tiny.posts.values();
  if (!first) throw new Error('The tiny content has posts.');
  const posts = new Map([['/blog/archive', { ...first, path: '/blog/archive' }]]);
  expect(await finder({ content: { ...tiny, posts } })('/blog/archive')).toMatchObject({
    folder: 'blog/archive',
    props: { years: tiny.years },
  });
});

test('a page without a title is reported before it is requested', () => {
  const titles = new Map([...data.titles].filter(([path]) => path !== '/blog/tags'));
  const search = () => SearchIndex.build(tiny);
  expect(() => listUrls({ content: tiny, data: { ...data, titles }, history: { updated: new Map() }, search })).toThrow(
    'pages/titles.yml has no title for /blog/tags.',
  );
});
