import { expect, test } from 'vitest';
import { tinyContent } from '../../testing/tiny-content.ts';
import { SearchNotReady } from './ready-index.ts';
import { SearchIndex } from './search-index.ts';
import { searchPage } from './search-page.ts';

const index = SearchIndex.build(tinyContent());
const page = (query: string, search = () => index) => searchPage(new URLSearchParams(query), search);

test('the page of an address holds its words and what was found', async () => {
  expect(await page('q=%20replication%20')).toMatchObject({
    status: 200,
    folder: 'search',
    props: { q: 'replication', results: (await index).search('replication') },
  });
  expect(await page('q=replication')).not.toHaveProperty('cacheKey');
});

test('without words nothing is asked', async () => {
  expect(await page('', () => Promise.reject(new Error('asked')))).toMatchObject({ props: { q: '', results: [] } });
});

test('an index that is not ready is said on the page, anything else is thrown', async () => {
  expect(await page('q=a', () => Promise.reject(new SearchNotReady()))).toMatchObject({
    status: 503,
    props: { q: 'a', results: [], problem: 'The search is still being prepared. Please try again in a moment.' },
  });
  await expect(page('q=a', () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
});
