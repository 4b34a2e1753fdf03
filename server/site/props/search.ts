import { SearchNotReady } from '../search/ready-index.ts';
import type { PageRequest, PageResult } from './page-request.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. */
export function searchProps(
  { query, search }: Pick<PageRequest, 'query' | 'search'>,
  { description }: { description: string },
): PageResult<'search'> {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  const moreProps = async () => {
    try {
      return { results: (await search()).search(q) };
    } catch (error) {
      if (!(error instanceof SearchNotReady)) throw error;
      return { problem: error.message };
    }
  };
  return {
    props: { lede: description, q, results: [] },
    ...(q && { title: `Search: ${q}`, moreProps }),
    cacheKey: null,
  };
}
