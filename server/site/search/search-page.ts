import type { FoundPage } from '../services.ts';
import type { SearchIndex } from './search-index.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. `search` answers the index once it is built. */
export function searchPage(query: URLSearchParams, search: () => Promise<SearchIndex>): FoundPage {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  return {
    kind: 'page',
    status: 200,
    folder: 'search',
    props: { q },
    moreProps: async () => ({ results: q === '' ? [] : (await search()).search(q) }),
    route: '/search',
    path: '/search',
  };
}
