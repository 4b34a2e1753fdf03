import type { Link, SidebarNode } from '../../../client/contract/reading.ts';
import type { DocEntry } from '../content.ts';
import type { Fault } from '../fault.ts';
import type { PageTable } from './page-table.ts';
import type { IndexedPage } from './pages.ts';
import { plannedOf } from './planned.ts';
import { readingOrder } from './reading-order.ts';

/**
 * Documents as pages receive them, by address; those outside the sidebar come last in the order and have no neighbours.
 */
export function indexDocs(
  docs: readonly IndexedPage[],
  sidebar: readonly SidebarNode[],
  { catalogueIds, table }: { catalogueIds: ReadonlySet<string>; table: PageTable },
  faults: Fault[],
): { entries: Map<string, DocEntry>; order: Link[] } {
  const { order, trails } = readingOrder(sidebar, new Set(docs.map(({ address }) => address)));
  const place = new Map(order.map((link, index) => [link.href, index]));
  const entries = new Map<string, DocEntry>();
  const rest: Link[] = [];
  for (const page of docs) {
    const index = place.get(page.address);
    if (index === undefined) rest.push({ label: page.title, href: page.address });
    const previous = index === undefined ? undefined : order[index - 1];
    const next = index === undefined ? undefined : order[index + 1];
    const connection = connectionOf(page, catalogueIds, faults);
    const planned = plannedOf(page, table.byFile, faults);
    entries.set(page.address, {
      path: page.address,
      title: page.title,
      description: page.description,
      file: page.file,
      hasSidebar: page.facts.front.sidebar,
      breadcrumbs: trails.get(page.address) ?? [],
      readingMinutes: page.facts.readingMinutes,
      ...(previous && { previous }),
      ...(next && { next }),
      ...(connection && { connection }),
      ...(page.date && { date: page.date }),
      ...(planned && { planned }),
      ...(page.facts.broken && { broken: page.facts.broken }),
    });
  }
  return { entries, order: [...order, ...rest] };
}

function connectionOf(page: IndexedPage, catalogueIds: ReadonlySet<string>, faults: Fault[]): string | undefined {
  const { connection } = page.facts.front;
  if (!connection) return undefined;
  if (catalogueIds.has(connection.name)) return connection.name;
  const message = `The connector catalogue has no source “${connection.name}”.`;
  faults.push({
    file: page.file,
    line: connection.line,
    column: connection.column,
    rule: 'unknown-connection',
    message,
  });
  return undefined;
}
