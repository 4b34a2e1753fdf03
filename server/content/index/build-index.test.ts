import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeFiles } from '../../testing/content-folder.ts';
import { quiet } from '../../testing/content-log.ts';
import { named, loadedPage as page, loadedPost as post } from '../../testing/indexed-pages.ts';
import { openCache } from '../cache/content-cache.ts';
import type { WrittenAddress } from '../data/written-addresses.ts';
import { createAssets } from './assets.ts';
import { buildIndex, type Index, type IndexSources } from './build-index.ts';
import { createLinkCheck } from './link-check.ts';
import type { LoadedPage } from './pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'index-'));
const cache = openCache({ dataDir: join(folder, 'data'), now: new Date(), log: quiet });
afterAll(() => {
  cache.close();
  rmSync(folder, { recursive: true });
});

/** The index of some pages, on 1 June 2024. */
function indexOf(pages: LoadedPage[], more: Partial<IndexSources> = {}): Index {
  const assets = createAssets(join(folder, 'none'), cache);
  return buildIndex({
    pages,
    settings: new Map(),
    orders: new Map(),
    isVault: false,
    assets,
    builtInAssets: assets,
    check: createLinkCheck(),
    authors: new Map([['desk', { name: 'desk', label: 'The desk', title: '', description: '' }]]),
    tags: new Map([['ai', { id: 'ai', label: 'AI', description: '' }]]),
    catalogueIds: new Set(),
    siteAddresses: new Set(),
    redirects: new Map(),
    written: [],
    leftOut: new Map(),
    production: true,
    today: '2024-06-01',
    ...more,
  });
}

describe('a small tree', () => {
  const sidebarFile = join(folder, 'sidebar.yml');
  writeFileSync(
    sidebarFile,
    'label: Guides\nitems:\n  - guides/second\n  - label: Deeper\n    items: [guides/first]\n',
  );
  const index = indexOf(
    [
      page('docs/guides/first.md', { title: 'First' }),
      page('docs/guides/second.md', { title: 'Second', sidebarLabel: '2nd' }),
      page('docs/guides/unlisted.md', {}, { heading: 'Unlisted' }),
      page('docs/01-start.md', { title: 'Start' }),
      page('docs/zeta.md', { title: 'Zeta', position: 0 }),
      page('docs/alone.md', { sidebar: false }),
      page('docs/draft.md', { draft: true }),
      post('blog/one.md', '2023-01-02', ['ai'], ['desk'], { title: 'One' }),
      post('blog/two.md', '2024-05-01', ['ai', 'New tag'], ['desk', 'Ann Other'], { title: 'Two' }),
      post('blog/three.md', '2024-05-31', [], [], { title: 'Three' }),
      post('blog/future.md', '2024-06-02', ['ai'], ['desk']),
      post('blog/draft.md', '2024-01-01', ['ai'], ['desk'], { draft: true }),
    ],
    { settings: new Map([['docs/guides/sidebar.yml', sidebarFile]]) },
  );
  const labels = (cards: { title: string }[]) => cards.map(({ title }) => title);

  test('the sidebar follows the written order, then numbers and names', () => {
    expect(index.sidebar).toEqual([
      { label: 'Zeta', href: '/docs/zeta' },
      { label: 'Start', href: '/docs/01-start' },
      {
        label: 'Guides',
        items: [
          { label: '2nd', href: '/docs/guides/second' },
          { label: 'Deeper', items: [{ label: 'First', href: '/docs/guides/first' }] },
          { label: 'Unlisted', href: '/docs/guides/unlisted' },
        ],
      },
    ]);
  });

  test('documents have neighbours and breadcrumbs', () => {
    expect(index.docs.get('/docs/guides/first')).toMatchObject({
      previous: { label: '2nd', href: '/docs/guides/second' },
      next: { label: 'Unlisted', href: '/docs/guides/unlisted' },
      breadcrumbs: [{ label: 'Guides' }, { label: 'Deeper' }],
    });
    expect(index.docs.get('/docs/zeta')).not.toHaveProperty('previous');
    const alone = index.docs.get('/docs/alone');
    expect(alone).toMatchObject({ hasSidebar: false, breadcrumbs: [] });
    expect(alone).not.toHaveProperty('previous');
    expect(index.order.at(-1)).toEqual({ label: 'Alone', href: '/docs/alone' });
  });

  test('posts are listed newest first, with their neighbours, by tag, author and year', () => {
    expect(labels([...index.posts.values()])).toEqual(['Three', 'Two', 'One']);
    expect(index.posts.get('/blog/two')).toMatchObject({
      previous: { label: 'Three', href: '/blog/three' },
      next: { label: 'One', href: '/blog/one' },
    });
    expect(index.tags.map(({ tag, posts }) => [tag.id, labels(posts)])).toEqual([
      ['ai', ['Two', 'One']],
      ['new-tag', ['Two']],
    ]);
    expect(index.authors.map(({ author, posts }) => [author.name, author.label, labels(posts)])).toEqual([
      ['desk', 'The desk', ['Two', 'One']],
      ['ann-other', 'Ann Other', ['Two']],
    ]);
    expect(index.years.map(({ year, posts }) => [year, labels(posts)])).toEqual([
      ['2024', ['Three', 'Two']],
      ['2023', ['One']],
    ]);
  });

  test('drafts and future posts are held back; outside production, drafts are shown', () => {
    for (const address of ['/docs/draft', '/blog/draft', '/blog/future'])
      expect(index.byAddress.has(address)).toBe(false);
    const written = indexOf([page('docs/draft.md', { draft: true })], { production: false });
    expect([...written.docs.keys()]).toEqual(['/docs/draft']);
    const later = indexOf([post('blog/future.md', '2024-06-02', ['ai'], ['desk'])], { today: '2024-06-02' });
    expect([...later.posts.keys()]).toEqual(['/blog/future']);
  });

  test('undeclared tags and authors are reported at their position, and posts without any', () => {
    expect(index.faults.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`)).toEqual([
      'blog/three.md:1:1 front-matter',
      'blog/three.md:1:1 front-matter',
      'blog/two.md:3:7 unknown-tag',
      'blog/two.md:3:7 unknown-author',
    ]);
  });
});

describe('addresses that a page cannot have', () => {
  const addresses = (...pages: LoadedPage[]) => {
    const index = indexOf(pages);
    const found = Object.fromEntries([...index.byAddress].map(([address, { file }]) => [file, address]));
    return { found, reported: index.faults.filter(({ rule }) => rule === 'duplicate-address').map(({ file }) => file) };
  };

  test.each([
    ['docs/a/foo.html.md', {}, '/docs/a/foo'],
    ['docs/a/b.md', { slug: named('index') }, '/docs/a'],
    ['docs/a/x.md.md', {}, '/docs/a/x'],
    ['blog/tags/ai.md', {}, '/blog/tags-2/ai'],
    ['blog/archive.md', {}, '/blog/archive-2'],
    ['blog/rss.xml.md', {}, '/blog/rss.xml-2'],
    ['pages/docs.md', {}, '/docs-2'],
  ])('%s with %o is served at %s, and reported', (file, front, address) => {
    expect(addresses(page(file, front))).toEqual({ found: { [file]: address }, reported: [file] });
  });

  test('a built-in page may have the address of a list', () => {
    expect(addresses({ ...page('pages/docs.md'), builtIn: true })).toEqual({
      found: { 'pages/docs.md': '/docs' },
      reported: [],
    });
  });

  test('of two pages with the same claim to an address, the first file has it, whichever was edited last', () => {
    const [first, second] = [page('docs/a b.md'), page('docs/a-b.md')];
    const found = { 'docs/a b.md': '/docs/a-b', 'docs/a-b.md': '/docs/a-b-2' };
    expect(addresses(first, second)).toEqual({ found, reported: ['docs/a-b.md'] });
    expect(addresses(second, first)).toEqual({ found, reported: ['docs/a-b.md'] });
  });

  test('thousands of pages that want one address each get another', () => {
    const pages = Array.from({ length: 30_000 }, (_, index) => page(`docs/${index}.md`, { slug: named('/same') }));
    const { found, reported } = addresses(...pages);
    expect([new Set(Object.values(found)).size, reported.length]).toEqual([30_000, 29_999]);
  });

  test('the page with the better claim to an address keeps it', () => {
    const { found, reported } = addresses(
      page('docs/a/b.md', { slug: named('index') }),
      page('docs/a/foo.html.md'),
      page('docs/a/foo.md'),
      page('docs/a/index.md'),
      page('docs/a/x.md'),
      page('docs/a/x.md.md'),
    );
    expect(found).toEqual({
      'docs/a/b.md': '/docs/a/index-2',
      'docs/a/foo.html.md': '/docs/a/foo-2',
      'docs/a/foo.md': '/docs/a/foo',
      'docs/a/index.md': '/docs/a',
      'docs/a/x.md': '/docs/a/x',
      'docs/a/x.md.md': '/docs/a/x-2',
    });
    expect(reported).toEqual(['docs/a/b.md', 'docs/a/foo.html.md', 'docs/a/x.md.md']);
  });
});

test('an id shared by two pages in a folder, and an ambiguous link to an id, are reported', () => {
  const id = named('x');
  const link = (href: string, line: number) => ({ kind: 'link' as const, href, line, column: 1 });
  const pages = [
    page('docs/a/one.md', { id }),
    page('docs/a/two.md', { id }),
    page('docs/b/three.md', { id }),
    page('docs/c.md', {}, { references: [link('x', 5), link('b/x', 6)] }),
  ];
  const places = indexOf(pages).faults.map(({ file, line, rule }) => `${file}:${line} ${rule}`);
  expect(places).toEqual(['docs/a/two.md:3 duplicate-id', 'docs/c.md:5 ambiguous-link']);
  // Folders may repeat an id, as in Docusaurus, as long as no link omits the folder.
  expect(indexOf([page('docs/a/one.md', { id }), page('docs/b/three.md', { id })]).faults).toEqual([]);
});

test('an address conflict is reported at the slug that causes it', () => {
  const { faults } = indexOf([
    page('docs/a.md', { slug: named('/b') }),
    page('docs/b.md'),
    page('docs/c.md', { slug: named('/b') }),
  ]);
  expect(faults.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)).toEqual([
    'docs/a.md:3:7 The address /docs/b is also wanted by docs/b.md, which is served at /docs/b-3 instead.',
    'docs/c.md:3:7 The address /docs/b is taken by docs/a.md; this page is served at /docs/b-2.',
  ]);
});

describe('addresses in data files', () => {
  const place = { file: 'navigation.yml', line: 4, column: 9 };
  const check = (role: WrittenAddress['role'], href: string) =>
    indexOf(
      [
        page('docs/a.md', {}, { ids: ['part'], topIds: ['a'] }),
        post('blog/news.md', '2024-05-01', ['ai'], ['desk']),
        page('docs/draft.md', { draft: true }),
      ],
      {
        siteAddresses: new Set(['/pricing']),
        redirects: new Map([
          ['/old', '/docs/a'],
          ['/one', '/two?x'],
          ['/two', '/one/'],
          ['/self', '/self#x'],
        ]),
        written: [{ ...place, role, href }],
      },
    ).faults;

  test.each([
    '/docs/a',
    '/docs/a?x=1#part',
    '/docs/a#a',
    '/blog/news',
    '/blog/tags/ai',
    '/blog/authors/desk',
    '/pricing#x',
    '/old',
  ])('%s exists', (href) => expect(check('link', href)).toEqual([]));

  const shown = 'which is shown instead.';
  const circle = (from: string, way: string) =>
    `Visitors to ${from} would be redirected in a circle (${way}), so this redirect is ignored: name a page.`;
  test.each([
    ['link', '/docs/b?x=1', 'broken-link', 'The address /docs/b does not exist.'],
    ['link', '/docs/draft', 'broken-link', 'The address /docs/draft does not exist.'],
    ['link', '/blog/tags/none', 'broken-link', 'The address /blog/tags/none does not exist.'],
    ['link', '/docs/a?x#gone', 'missing-anchor', 'The page docs/a.md has no heading or anchor “gone”.'],
    ['link', '/100%', 'broken-link', 'The address /100% does not exist.'],
    ['new', '/docs/b', 'broken-link', 'The address /docs/b does not exist.'],
    ['new', '/old', 'redirect-chain', '/old is itself redirected: name its target.'],
    ['old', '/one', 'redirect-circle', circle('/one', '/one → /two → /one')],
    ['old', '/self', 'redirect-circle', circle('/self', '/self → /self')],
    ['old', '/docs/a', 'unused-redirect', `/docs/a is the address of docs/a.md, ${shown}`],
    ['old', '/pricing', 'unused-redirect', `/pricing is the address of a page of the site, ${shown}`],
    ['old', '/gone.html', 'unused-redirect', 'Visitors to /gone.html are sent to /gone first: redirect /gone instead.'],
  ] as const)('%s %s: %s', (role, href, rule, message) => {
    expect(check(role, href)).toEqual([{ ...place, rule, message }]);
  });

  test('an old address without a page is no fault, and a circle is reported only once', () => {
    expect(check('old', '/gone')).toEqual([]);
    expect(check('new', '/two')).toEqual([]);
  });

  test("static files exist if they are the operator's or built in", () => {
    writeFiles(folder, { 'own/static/a.txt': '', 'shipped/static/b.txt': '' });
    const [assets, builtInAssets] = ['own', 'shipped'].map((name) => createAssets(join(folder, name), cache));
    const links = ['/a.txt', '/b.txt', '/c.txt'].map((href) => ({ ...place, role: 'link' as const, href }));
    const { faults } = indexOf([], { written: links, ...(assets && builtInAssets && { assets, builtInAssets }) });
    expect(faults.map(({ message }) => message)).toEqual(['The address /c.txt does not exist.']);
  });
});

test("a document's front matter reaches its entry, and an unknown connection is reported", () => {
  const { docs, faults } = indexOf(
    [
      page(
        'docs/a.md',
        { connection: named('sql'), date: '2024-01-02', planned: named('0.2.0') },
        { readingMinutes: 7 },
      ),
      page('docs/b.md', { connection: named('nosql') }),
      page('docs/releaseNote/rn-0-2-0.md', { slug: named('/notes/two') }),
    ],
    { catalogueIds: new Set(['sql']) },
  );
  expect(docs.get('/docs/a')).toMatchObject({
    connection: 'sql',
    date: '2024-01-02',
    planned: { release: '0.2.0', note: '/docs/notes/two' },
    readingMinutes: 7,
    file: 'docs/a.md',
  });
  for (const key of ['connection', 'date', 'planned', 'broken']) expect(docs.get('/docs/b')).not.toHaveProperty(key);
  expect(faults).toEqual([
    {
      file: 'docs/b.md',
      line: 3,
      column: 7,
      rule: 'unknown-connection',
      message: 'The connector catalogue has no source “nosql”.',
    },
  ]);
});

test('a planned release without a release note is reported and not linked', () => {
  const place = { line: 3, column: 7, rule: 'unknown-release' };
  const message = 'No release note for 9.0.0 is published: write docs/releaseNote/rn-9-0-0.md, or `planned: later`.';
  const planned = named('9.0.0');
  const { docs, posts, faults } = indexOf([
    page('docs/a.md', { planned }),
    page('docs/releaseNote/rn-9-0-0.md', { draft: true }),
    post('blog/a.md', '2024-05-01', ['ai'], ['desk'], { planned }),
  ]);
  for (const entry of [docs.get('/docs/a'), posts.get('/blog/a')]) expect(entry?.planned).toEqual({ release: '9.0.0' });
  expect(faults).toEqual(['blog/a.md', 'docs/a.md'].map((file) => ({ file, ...place, message })));
});

describe('posts', () => {
  test('without a date are reported and dated by their last change, unless they are broken', () => {
    const dateless = page('blog/a.md', { tags: [named('ai')], authors: [named('desk')], planned: named('later') });
    const broken = page('blog/b.md', {}, {});
    const { posts, faults, years } = indexOf([
      dateless,
      { ...broken, changed: '2023-05-06', facts: { ...broken.facts, broken: ['No end.'] } },
    ]);
    expect(posts.get('/blog/a')).toMatchObject({ date: '2024-01-01', planned: { release: 'later' } });
    expect(posts.get('/blog/b')).toMatchObject({ date: '2023-05-06', broken: ['No end.'] });
    expect(posts.get('/blog/a')).not.toHaveProperty('broken');
    expect(years.map(({ year }) => year)).toEqual(['2024', '2023']);
    expect(faults).toEqual([
      {
        file: 'blog/a.md',
        line: 1,
        column: 1,
        rule: 'front-matter',
        message: 'A post needs a date in its front matter; until then, the date of its last change is used.',
      },
      { file: 'blog/b.md', line: 1, column: 1, rule: 'broken-page', message: 'No end.' },
    ]);
  });

  test('dated on the day of their last change are not reported', () => {
    expect(indexOf([post('blog/a.md', '2024-01-01', ['ai'], ['desk'])]).faults).toEqual([]);
  });

  test('of the same date are sorted by file, and dates in paths are used', () => {
    const { posts } = indexOf([
      page('blog/c.md', { date: '2024-05-01' }),
      page('blog/b.md', { date: '2024-05-01' }),
      page('blog/2024/05/02/d/index.md'),
      page('blog/2024-05-03/e.md'),
    ]);
    expect([...posts.values()].map(({ path, date }) => [path, date])).toEqual([
      ['/blog/2024-05-03/e', '2024-05-03'],
      ['/blog/2024/05/02/d', '2024-05-02'],
      ['/blog/b', '2024-05-01'],
      ['/blog/c', '2024-05-01'],
    ]);
  });

  test('list each tag and author once, by key or name, and keep authors written in full', () => {
    const guest = { ...named('Ann Other'), label: 'Ann Other', title: 'Guest' };
    const { posts, faults } = indexOf([
      post('blog/a.md', '2024-05-01', ['ai', 'AI', 'C++'], [], { authors: [named('desk'), guest, named('Dsek')] }),
    ]);
    expect(posts.get('/blog/a')?.tags.map(({ id, label }) => [id, label])).toEqual([
      ['ai', 'AI'],
      ['c', 'C++'],
    ]);
    expect(posts.get('/blog/a')?.authors).toEqual([
      { name: 'desk', label: 'The desk', title: '', description: '' },
      { name: 'ann-other', label: 'Ann Other', title: 'Guest', description: '' },
      { name: 'dsek', label: 'Dsek', title: '', description: '' },
    ]);
    expect(faults.map(({ message }) => message)).toEqual([
      'The tag “AI” is not in tags.yml.',
      'The tag “C++” is not in tags.yml.',
      'The author “Dsek” is not in authors.yml.',
    ]);
  });
});

describe('the sidebar', () => {
  const sidebarOf = (pages: LoadedPage[], settings: Record<string, string> = {}) => {
    writeFiles(join(folder, 'settings'), settings);
    const paths = Object.keys(settings).map((file): [string, string] => [file, join(folder, 'settings', file)]);
    const { sidebar, faults } = indexOf(pages, { settings: new Map(paths) });
    return { sidebar, faults: faults.map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`) };
  };

  test('starts with the root page, and uses the page of a folder as its heading', () => {
    const { sidebar } = sidebarOf([
      page('docs/zeta.md', { title: 'Zeta' }),
      page('docs/index.md', { title: 'Start' }),
      page('docs/group/index.md', { title: 'Group', position: 2 }),
      page('docs/group/in.md', { title: 'In' }),
      page('docs/01-first/a.md', { title: 'A' }),
      page('docs/empty/index.md', { title: 'Empty', sidebar: false }),
      page('docs/deep/er/x.md', { title: 'X' }),
    ]);
    expect(sidebar).toEqual([
      { label: 'Start', href: '/docs' },
      { label: 'First', items: [{ label: 'A', href: '/docs/01-first/a' }] },
      { label: 'Group', href: '/docs/group', items: [{ label: 'In', href: '/docs/group/in' }] },
      { label: 'Deep', items: [{ label: 'Er', items: [{ label: 'X', href: '/docs/deep/er/x' }] }] },
      { label: 'Zeta', href: '/docs/zeta' },
    ]);
  });

  test('falls back to Docusaurus for names and order, and sorts numbers by value', () => {
    const { sidebar, faults } = sidebarOf(
      [page('docs/a/x.md'), page('docs/b/x.md'), page('docs/c/x10.md'), page('docs/c/x9.md'), page('docs/d/x.md')],
      {
        'docs/a/_category_.json': '{"label": "Category A", "position": 3, "link": {"type": "generated-index"}}',
        'docs/b/_category_.yml': 'label: Lost\n',
        'docs/b/sidebar.yml': 'label: Ours\nposition: 1\n',
        'docs/c/_category_.yml': 'position: 2\n',
        'docs/d/sidebar.yml': 'position: 4\nitems: [x, { label: Sub, items: [d/x, gone] }]\n',
      },
    );
    expect(sidebar.map(({ label, items }) => [label, items?.map((item) => item.label)])).toEqual([
      ['Ours', ['X']],
      ['C', ['X9', 'X10']],
      ['Category A', ['X']],
      ['D', ['Sub']],
    ]);
    expect(sidebar.at(-1)?.items).toEqual([{ label: 'Sub', items: [{ label: 'X', href: '/docs/d/x' }] }]);
    expect(faults).toEqual([
      'docs/d/sidebar.yml:2 sidebar-item: The sidebar names x, which does not exist.',
      'docs/d/sidebar.yml:2 sidebar-item: The sidebar names gone, which does not exist.',
    ]);
  });

  test('reports invalid settings and unreadable settings files', () => {
    const file = 'docs/b/sidebar.yml';
    const { sidebar, faults } = sidebarOf([page('docs/a/x.md')], {
      'docs/a/sidebar.yml': 'label: A\nposition: first\n',
    });
    expect(sidebar.map(({ label }) => label)).toEqual(['A']);
    expect(faults).toEqual([expect.stringMatching(/^docs\/a\/sidebar\.yml:2 schema: position: /)]);
    const gone = indexOf([], { settings: new Map([[file, join(folder, 'nowhere.yml')]]) }).faults;
    expect(gone).toEqual([
      expect.objectContaining({ file, rule: 'left-out', message: expect.stringContaining('ENOENT') }),
    ]);
  });
});
