import type { Shown, Wanted } from './shown.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. */
export function searchProps({ query, search }: Wanted): Shown<'search'> {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  return {
    props: { q, results: [] },
    ...(q && { title: `Search: ${q}`, moreProps: async () => ({ results: (await search()).search(q) }) }),
    cacheKey: null,
  };
}
