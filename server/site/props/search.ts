import type { Shown, Wanted } from './shown.ts';

/** `/search?q=`: search without JavaScript; free text is never cached. */
export async function searchProps({ query, search }: Wanted): Promise<Shown<'search'>> {
  const q = query.get('q')?.trim().slice(0, 200) ?? '';
  const results = q === '' ? [] : (await search()).search(q);
  return { props: { q, results }, cacheKey: null, ...(q && { title: `Search: ${q}` }) };
}
