import type { Link, SidebarNode } from '../../../client/contract/reading.ts';

export interface Reading {
  order: Link[];
  /** The categories above a document, by its address. */
  trails: Map<string, { label: string; href?: string }[]>;
}

/**
 * Lists documents in sidebar order, each with its trail of categories; one that is listed twice counts at its first
 * place.
 */
export function readingOrder(sidebar: readonly SidebarNode[], addresses: ReadonlySet<string>): Reading {
  const reading: Reading = { order: [], trails: new Map() };
  walk(sidebar, [], reading, addresses);
  return reading;
}

function walk(
  nodes: readonly SidebarNode[],
  trail: { label: string; href?: string }[],
  reading: Reading,
  addresses: ReadonlySet<string>,
): void {
  for (const { label, href, items } of nodes) {
    // Orders may also list places outside the documents.
    if (href && addresses.has(href) && !reading.trails.has(href)) {
      reading.order.push({ label, href });
      reading.trails.set(href, trail);
    }
    if (items) walk(items, [...trail, { label, ...(href && { href }) }], reading, addresses);
  }
}
