import type { FoundPage } from '../services.ts';
import { SearchNotReady } from './ready-index.ts';
import type { SearchIndex } from './search-index.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. */
export async function searchPage(query: URLSearchParams, search: () => Promise<SearchIndex>): Promise<FoundPage> {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  const page = { kind: 'page', folder: 'search', route: '/search', path: '/search' } as const;
  try {
    const results = q === '' ? [] : (await search()).search(q);
    return { ...page, status: 200, props: { q, results } };
  } catch (error) {
    if (!(error instanceof SearchNotReady)) throw error;
    return { ...page, status: 503, props: { q, results: [], problem: error.message } };
  }
}
