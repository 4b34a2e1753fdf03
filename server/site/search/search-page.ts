import type { FoundPage } from '../services.ts';
import type { SearchIndex } from './search-index.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. */
export async function searchPage(query: URLSearchParams, search: Promise<SearchIndex>): Promise<FoundPage> {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  const results = q === '' ? [] : (await search).search(q);
  return { kind: 'page', status: 200, folder: 'search', props: { q, results }, route: '/search', path: '/search' };
}
