import { describe, expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { tinyContent } from '../../testing/tiny-content.ts';
import { excerptOf } from './excerpt.ts';
import { SearchIndex } from './search-index.ts';
import { termsOf } from './terms.ts';

const index = await SearchIndex.build(tinyContent());

describe('search', () => {
  test('finds a heading and leads to it, with the word marked', () => {
    const [first] = index.search('replication');
    expect(first).toMatchObject({ heading: 'Grants', href: expect.stringMatching(/#grants$/) });
    expect(first?.excerpt).toContainEqual({ text: 'REPLICATION', mark: true });
  });

  test('finds by the start of a word and forgives a typo', () => {
    expect(index.search('heartb').length).toBeGreaterThan(0);
    expect(index.search('hertbeats').length).toBeGreaterThan(0);
    expect(index.search('zzzzqqq')).toEqual([]);
  });

  test.each([
    ['myslq', 'mysql'],
    ['haert', 'heart'],
    ['repilcation', 'replication'],
    ['myslq heratbeats', 'mysql heartbeats'],
  ])('forgives two neighbouring letters that changed places: %s', (typed, meant) => {
    expect(index.search(meant).length).toBeGreaterThan(0);
    expect(index.search(typed)).toEqual(index.search(meant));
  });

  test('a word that some text has is taken as it is, and never another one for it', async () => {
    const content = tinyContent();
    const body = (path: string) => ({
      ...content.body(path),
      tree: root(el('p', path.includes('mysql') ? 'taken from a table' : 'a form with fields')),
    });
    const found = await SearchIndex.build({ ...content, body });
    const hrefs = (words: string) => new Set(found.search(words).map(({ href }) => href));
    expect(hrefs('from')).toEqual(new Set(['/docs/connection/mysql']));
    expect(hrefs('form')).not.toContain('/docs/connection/mysql');
    // Three letters are too few to guess by.
    expect(found.search('rfm')).toEqual([]);
  });

  test('a title comes before text, and one page does not fill the list', () => {
    const results = index.search('mysql');
    expect(results[0]).toMatchObject({ title: 'MySQL', section: 'Guides' });
    expect(results.filter((result) => result.href.startsWith('/docs/connection/mysql')).length).toBeLessThanOrEqual(3);
  });

  test('signs of regular expressions are plain text', () => {
    expect(excerptOf('a (b) c', ['(b'])).toEqual([{ text: 'a ' }, { text: '(b', mark: true }, { text: ') c' }]);
    expect(index.search('.*+?^$()|[]\\')).toEqual([]);
  });

  test('no query costs more than eight different words', () => {
    expect(termsOf('a B, a b c')).toEqual(['a', 'b', 'c']);
    expect(termsOf(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' '))).toHaveLength(8);
    expect(termsOf('  .. ')).toEqual([]);
  });

  test('a letter or two are the start of a word only where somebody is still typing', () => {
    expect(index.search('mysql he').length).toBeGreaterThan(0);
    expect(index.search('he mysql')).toEqual([]);
    expect(index.search('hea mysql').length).toBeGreaterThan(0);
  });

  test('the same words again are answered from memory', () => {
    expect(index.search('  MySQL, mysql')).toBe(index.search('mysql'));
  });
});
