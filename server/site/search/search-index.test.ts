import type { Root } from 'hast';
import { describe, expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { tinyContent } from '../../testing/tiny-content.ts';
import { SearchIndex } from './search-index.ts';

// Each test has its own index, since an index remembers its queries.
const built = () => SearchIndex.build(tinyContent());

const overview = '/docs/intro/product_intro';
const mysql = '/docs/connection/mysql';
const release = '/docs/releaseNote/rn-0-1-0';
const post = '/blog/ai/second';

/** An index of the tiny content with these texts; the other pages have none. */
function indexOf(trees: Record<string, Root>, content = tinyContent()): Promise<SearchIndex> {
  const body = { toc: [], text: '', readingMinutes: 1 };
  return SearchIndex.build({ ...content, body: (path) => ({ ...body, tree: trees[path] ?? root() }) });
}

function heading(id: string, name: string) {
  const made = el('h2', name);
  made.properties.id = id;
  return made;
}

describe('search', () => {
  test('finds a heading, links to it and marks the word', async () => {
    const [first] = (await built()).search('replication');
    expect(first).toMatchObject({ heading: 'Grants', href: expect.stringMatching(/#grants$/) });
    expect(first?.excerpt).toContainEqual({ text: 'REPLICATION', mark: true });
  });

  test('finds by the start of a word and forgives a typo', async () => {
    const index = await built();
    expect(index.search('heartb').length).toBeGreaterThan(0);
    expect(index.search('hertbeats').length).toBeGreaterThan(0);
    expect(index.search('zzzzqqq')).toEqual([]);
  });

  test('finds and marks words in table cells', async () => {
    const row = el('tr', el('td', 'Digest'), el('td', 'values'), el('td', 'Says which row'));
    const index = await indexOf({ [mysql]: root(el('div', el('table', row))) });
    expect(index.search('values')[0]?.excerpt).toEqual([
      { text: 'Digest · ' },
      { text: 'values', mark: true },
      { text: ' · Says which row' },
    ]);
    expect(index.search('digest says').map(({ href }) => href)).toEqual([mysql]);
  });

  test.each([
    ['myslq', 'mysql'],
    ['haert', 'heart'],
    ['repilcation', 'replication'],
    ['myslq heratbeats', 'mysql heartbeats'],
  ])('forgives two swapped neighbouring letters: %s', async (typed, meant) => {
    const index = await built();
    expect(index.search(meant).length).toBeGreaterThan(0);
    expect(index.search(typed)).toEqual(index.search(meant));
  });

  test('prefers exact words and never replaces them by similar ones', async () => {
    const index = await indexOf({
      [mysql]: root(el('p', 'a row taken from a table')),
      [overview]: root(el('p', 'a form with fields, a smart straw')),
      [release]: root(el('p', 'the start')),
    });
    const hrefs = (words: string) => index.search(words).map(({ href }) => href);
    expect(hrefs('from')).toEqual([mysql]);
    expect(hrefs('form')).toEqual([overview]);
    expect(hrefs('fomr')).toEqual([overview]);
    // Neither straw, which differs in one letter, nor smart, which resembles the intended word.
    expect(hrefs('strat')).toEqual([release]);
    // Three letters are too few for a fuzzy match; four allow one wrong letter.
    expect(hrefs('rwo')).toEqual([]);
    expect(hrefs('fron')).toEqual([]);
    expect(hrefs('takem')).toEqual([mysql]);
  });

  test('ranks titles above headings, headings above tags, and tags above text', async () => {
    const content = tinyContent();
    const posts = new Map(content.posts);
    const tagged = posts.get(post);
    if (tagged) posts.set(post, { ...tagged, tags: [{ id: 'databases', label: 'MySQL', description: '' }] });
    const index = await indexOf(
      {
        [mysql]: root(el('p', 'Connect.'), heading('rights', 'Rights'), el('p', 'Who reads.')),
        [overview]: root(el('p', 'Look.'), heading('mysql', 'MySQL'), el('p', 'Here.')),
        [release]: root(el('p', 'mysql '.repeat(20))),
      },
      { ...content, posts },
    );
    expect(index.search('mysql')).toEqual([
      { title: 'MySQL', section: 'Guides', href: mysql, excerpt: [{ text: 'Connect.' }] },
      expect.objectContaining({ title: 'Overview', heading: 'MySQL', section: 'Guides', href: `${overview}#mysql` }),
      { title: 'Second post', section: 'Blog', href: post, excerpt: [] },
      expect.objectContaining({ href: release }),
      // Below a heading, the page's title is a word like others.
      expect.objectContaining({ heading: 'Rights', href: `${mysql}#rights` }),
    ]);
    expect(index.search('databases')).toEqual([expect.objectContaining({ href: post })]);
    expect(index.search('mysql reads')).toEqual([expect.objectContaining({ href: `${mysql}#rights` })]);
  });

  test('requires all words', async () => {
    const index = await indexOf({ [mysql]: root(el('p', 'red green')), [overview]: root(el('p', 'red blue')) });
    expect(index.search('red').length).toBe(2);
    expect(index.search('red blue')).toEqual([expect.objectContaining({ href: overview })]);
    expect(index.search('red white')).toEqual([]);
  });

  test('finds the texts with most words of a question or a pasted message if none has all', async () => {
    const index = await indexOf({
      [mysql]: root(el('p', 'no pg_hba.conf entry for host')),
      [overview]: root(el('p', 'the host of an entry')),
    });
    const message = 'FATAL: no pg_hba.conf entry for host "10.0.0.1", user "sync", SSL off';
    expect(index.search(message)).toEqual([expect.objectContaining({ href: mysql })]);
    expect(index.search('red green host')).toEqual([]);
  });

  test('limits the results per page and in total', async () => {
    const content = tinyContent();
    const [first] = content.docs.values();
    if (!first) throw new Error('The tiny content has documents.');
    const docs = Array.from({ length: 9 }, (_, at) => ({ ...first, path: `/docs/d${at}`, breadcrumbs: [] }));
    const parts = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [heading(id, `Part ${id}`), el('p', 'A row.')]);
    const trees = Object.fromEntries(docs.map(({ path }) => [path, root(...parts)]));
    const index = await indexOf(trees, { ...content, docs: new Map(docs.map((doc) => [doc.path, doc])) });
    const results = index.search('row');
    expect(results).toHaveLength(20);
    const perPage = Map.groupBy(results, ({ href }) => href.replace(/#.*/, ''));
    expect(Math.max(...[...perPage.values()].map((hits) => hits.length))).toBe(3);
    // At the top of the folder.
    expect(results[0]?.section).toBe('Documents');
  });

  test('finds a word far down in a long section and shows the start of the section', async () => {
    const index = await indexOf({ [mysql]: root(el('p', `Start. ${'filling '.repeat(1000)}end`)) });
    const [hit] = index.search('end');
    expect(hit).toMatchObject({ href: mysql, excerpt: [{ text: expect.stringMatching(/^Start\. filling/) }] });
  });

  test('treats regular expression characters as plain text', async () => {
    expect((await built()).search('.*+?^$()|[]\\')).toEqual([]);
  });

  test('treats one or two letters as the start of a word only in the last word', async () => {
    const index = await built();
    expect(index.search('mysql he').length).toBeGreaterThan(0);
    expect(index.search('he mysql')).toEqual([]);
    expect(index.search('hea mysql').length).toBeGreaterThan(0);
  });

  test('answers repeated queries from memory', async () => {
    const index = await built();
    const found = index.search('replication slave');
    expect(index.search('  Replication, slave')).toBe(found);
    expect(index.search('replicationslave')).toEqual([]);
  });

  test('stops building an index for content that is no longer served', async () => {
    for (const pages of [0, 1, 4]) {
      let asked = 0;
      const index = await SearchIndex.build(tinyContent(), () => {
        asked += 1;
        return asked > pages;
      });
      const found = ['overview', 'mysql', 'release', 'second', 'first'].filter((word) => index.search(word).length > 0);
      expect(found).toHaveLength(pages);
    }
  });
});
