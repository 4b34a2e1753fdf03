import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openCache } from '../cache.ts';
import type { WrittenAddress } from '../data/written-addresses.ts';
import { brokenPage, emptyFront, type Front, type NamedPlace, type PageFacts } from '../page-facts.ts';
import { kindOf } from '../sources.ts';
import { createAssets } from './assets.ts';
import { buildIndex, type Index, type IndexSources } from './build-index.ts';
import { createLinkCheck } from './link-check.ts';
import type { LoadedPage } from './pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'index-'));
const cache = openCache(join(folder, 'data'));
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
    production: true,
    today: '2024-06-01',
    ...more,
  });
}

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
