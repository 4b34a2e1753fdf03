import { SearchNotReady } from '../search/ready-index.ts';
import type { Shown, Wanted } from './shown.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. */
export function searchProps({ query, search }: Pick<Wanted, 'query' | 'search'>): Shown<'search'> {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  const moreProps = async () => {
    try {
      return { results: (await search()).search(q) };
    } catch (error) {
      if (!(error instanceof SearchNotReady)) throw error;
      return { problem: error.message };
    }
  };
  return { props: { q, results: [] }, ...(q && { title: `Search: ${q}`, moreProps }), cacheKey: null };
}
