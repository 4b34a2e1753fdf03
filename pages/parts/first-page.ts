import type { SidebarNode } from '../../client/contract/reading.ts';

/** Where a node of the sidebar leads; a folder without a page of its own, to the first page in it. */
export function firstPage({ href, items }: SidebarNode): string | undefined {
  return href ?? items?.map(firstPage).find(Boolean);
}
