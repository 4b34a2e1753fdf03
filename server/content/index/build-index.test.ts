import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { quiet } from '../../testing/content-log.ts';
import { openCache } from '../cache/content-cache.ts';
import type { WrittenAddress } from '../data/written-addresses.ts';
import { brokenPage, emptyFront, type Front, type NamedPlace, type PageFacts } from '../page-facts.ts';
import { kindOf } from '../sources.ts';
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

const named = (name: string): NamedPlace => ({ name, line: 3, column: 7 });

/** A compiled page with invented facts. */
function page(file: string, front: Partial<Front> = {}, facts: Partial<PageFacts> = {}): LoadedPage {
  const kind = kindOf(file);
  if (kind === undefined || kind === 'setting') throw new Error(`${file} is no page.`);
  const empty = brokenPage([]).facts;
  return {
    file,
    kind,
    path: join(folder, file),
    builtIn: false,
    key: file,
    changed: '2024-01-01',
    facts: { ...empty, ...facts, front: { ...emptyFront(), ...front } },
  };
}

function post(file: string, date: string, tags: string[], authors: string[], front: Partial<Front> = {}): LoadedPage {
  return page(file, { date, tags: tags.map(named), authors: authors.map(named), ...front });
}

/** The index of some pages, on the first of June 2024. */
function indexOf(pages: LoadedPage[], more: Partial<IndexSources> = {}): Index {
  const assets = createAssets(join(folder, 'none'), cache);
  return buildIndex({
    pages,
    settings: new Map(),
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

describe('a tiny tree', () => {
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

  test('the sidebar has the written order, then the rest by number and name', () => {
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

  test('documents know their neighbours and what is above them', () => {
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

  test('drafts and posts of a later day are held back; where they are written, drafts are shown', () => {
    for (const address of ['/docs/draft', '/blog/draft', '/blog/future'])
      expect(index.byAddress.has(address)).toBe(false);
    const written = indexOf([page('docs/draft.md', { draft: true })], { production: false });
    expect([...written.docs.keys()]).toEqual(['/docs/draft']);
    const later = indexOf([post('blog/future.md', '2024-06-02', ['ai'], ['desk'])], { today: '2024-06-02' });
    expect([...later.posts.keys()]).toEqual(['/blog/future']);
  });

  test('names that nobody declared are told at their place', () => {
    expect(index.faults.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`)).toEqual([
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
    ['docs/a/b.md', { slug: 'index' }, '/docs/a'],
    ['docs/a/x.md.md', {}, '/docs/a/x'],
    ['blog/tags/ai.md', {}, '/blog/tags-2/ai'],
    ['blog/archive.md', {}, '/blog/archive-2'],
    ['blog/rss.xml.md', {}, '/blog/rss.xml-2'],
  ])('%s with %o is served at %s, and reported', (file, front, address) => {
    expect(addresses(page(file, front))).toEqual({ found: { [file]: address }, reported: [file] });
  });

  test('whoever has a right to the address keeps it', () => {
    const { found, reported } = addresses(
      page('docs/a/b.md', { slug: 'index' }),
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

test('ids that two pages share', () => {
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
  // Folders may repeat an id, as Docusaurus has it, while no link leaves the folder out.
  expect(indexOf([page('docs/a/one.md', { id }), page('docs/b/three.md', { id })]).faults).toEqual([]);
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
        redirects: new Map([['/old', '/docs/a']]),
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

  test.each([
    ['link', '/docs/b', 'broken-link'],
    ['link', '/docs/draft', 'broken-link'],
    ['link', '/blog/tags/none', 'broken-link'],
    ['link', '/docs/a#gone', 'missing-anchor'],
    ['link', '/100%', 'broken-link'],
    ['new', '/docs/b', 'broken-link'],
    ['new', '/old', 'redirect-chain'],
    ['old', '/docs/a', 'unused-redirect'],
    ['old', '/pricing', 'unused-redirect'],
    ['old', '/gone.html', 'unused-redirect'],
  ] as const)('%s %s: %s', (role, href, rule) => {
    expect(check(role, href)).toEqual([{ ...place, rule, message: expect.any(String) }]);
  });
});
