import type { SidebarNode } from '../../client/contract/reading.ts';

/** Where a sidebar node links to; for a folder without its own page, the first page in it. */
export function firstPage({ href, items }: SidebarNode): string | undefined {
  return href ?? items?.map(firstPage).find(Boolean);
}
