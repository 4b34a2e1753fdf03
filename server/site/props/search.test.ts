import { expect, test } from 'vitest';
import { tinyContent } from '../../testing/tiny-content.ts';
import { SearchNotReady } from '../search/ready-index.ts';
import { SearchIndex } from '../search/search-index.ts';
import { searchProps } from './search.ts';

const index = SearchIndex.build(tinyContent());

function shown(query: string, search: () => Promise<SearchIndex>) {
  return searchProps({ query: new URLSearchParams(query), search }, { description: 'Search it.' });
}

test('the search page has the words of the query and the results', async () => {
  const { props, moreProps, cacheKey, title } = shown('q=%20replication%20', () => index);
  expect([props.q, cacheKey, title]).toEqual(['replication', null, 'Search: replication']);
  expect(await moreProps?.()).toEqual({ results: (await index).search('replication') });
});

test('an overlong query is truncated', () => {
  expect(shown(`q=${'x'.repeat(500)}`, () => index).props.q).toBe('x'.repeat(200));
});

test('an empty query does not search', () => {
  expect(shown('', () => Promise.reject(new Error('asked')))).toEqual({
    props: { lede: 'Search it.', q: '', results: [] },
    cacheKey: null,
  });
});

test('an index that is not ready is reported on the page, other errors are thrown', async () => {
  const waiting = await shown('q=a', () => Promise.reject(new SearchNotReady())).moreProps?.();
  expect(waiting).toEqual({ problem: 'The search is still being prepared. Please try again in a moment.' });
  await expect(shown('q=a', () => Promise.reject(new Error('no memory'))).moreProps?.()).rejects.toThrow('no memory');
});
