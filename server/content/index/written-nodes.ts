import { posix } from 'node:path';
import type { SidebarNode } from '../../../client/contract/reading.ts';
import type { Fault } from '../fault.ts';
import { isExternal, type OrderItem, orderFault, type WrittenOrder } from '../order/written-order.ts';
import type { PageTable } from './page-table.ts';
import type { IndexedPage } from './pages.ts';

/** Finds the document that an order refers to. */
export type FindDocument = (name: string) => IndexedPage | undefined;

/** By path below docs/, with or without its extension, otherwise by id. */
export function createFindDocument(table: PageTable): FindDocument {
  return (name) => {
    const path = posix.join('docs', name.replace(/[?#].*$/, ''));
    const bare = path.replace(/\.(?:mdx?|markdown|html?)$/i, '').replace(/\/$/, '');
    const files = [path, ...['.md', '.mdx', '.markdown'].map((ending) => bare + ending)];
    const found =
      files.map((file) => table.byFile(file)).find(Boolean) ??
      table.byPath(`/${bare}`) ??
      table.byPath(`/${bare.replace(/\/(?:_?index|readme)$/i, '')}`) ??
      table.byId(bare.slice('docs/'.length))[0];
    return found?.kind === 'doc' ? found : undefined;
  };
}

export interface NodeMaking {
  find: FindDocument;
  /** Documents that an order lists. */
  listed: Set<IndexedPage>;
  /** All other documents in a folder, by position and name. */
  restOf(folder: string): SidebarNode[];
  /** True for a document that exists but is not served, such as a draft. */
  isHeldBack(name: string): boolean;
  labelOf(page: IndexedPage): string;
  /** The site address that a link leads to, if any. */
  addressAt(href: string): string | undefined;
}

/** Records which documents an order lists; entries without a document are reported. */
export function listDocuments({ file, items }: WrittenOrder, making: NodeMaking, faults: Fault[]): void {
  for (const item of items) {
    if (item.kind === 'group') listDocuments({ file, items: item.items, faults: [] }, making, faults);
    const missing = item.kind === 'folder' ? undefined : missingIn(item, making);
    if (missing === undefined) continue;
    const message = `The sidebar names ${missing}, which does not exist.`;
    faults.push(orderFault(file, { line: item.line, column: item.column }, message));
  }
}

function missingIn(item: Exclude<OrderItem, { kind: 'folder' }>, making: NodeMaking): string | undefined {
  if (item.kind === 'link') return addressOf(item.href, making) === undefined ? item.href : undefined;
  const page = item.page === undefined ? undefined : making.find(item.page);
  if (page) making.listed.add(page);
  if (item.page === undefined || page || isBlog(item.page) || making.isHeldBack(item.page)) return undefined;
  return item.page;
}

/** The post list may have been among the documents. */
function isBlog(name: string): boolean {
  return /^blog\/(?:index|readme)(?:\.md)?$/i.test(name);
}

function addressOf(href: string, { addressAt }: NodeMaking): string | undefined {
  return isExternal(href) ? href : addressAt(href);
}

/** An order's nodes; runs when all orders have listed their documents. */
export function writtenNodes(items: readonly OrderItem[], making: NodeMaking): SidebarNode[] {
  return items.flatMap((item): SidebarNode[] => {
    if (item.kind === 'folder') return making.restOf(posix.join('docs', item.folder).replace(/\/$/, ''));
    if (item.kind === 'group') return groupNode(item, making);
    const href = item.kind === 'link' ? addressOf(item.href, making) : undefined;
    if (item.kind === 'link') return href === undefined ? [] : [{ label: item.label, href }];
    return pageNode(item, making);
  });
}

type Item<Kind> = Extract<OrderItem, { kind: Kind }>;

function pageNode({ page: name, label }: Item<'page'>, { find, labelOf }: NodeMaking): SidebarNode[] {
  const page = find(name);
  if (!page && isBlog(name)) return [{ label: label || 'Blog', href: '/blog' }];
  return page ? [{ label: label || labelOf(page), href: page.address }] : [];
}

/** A group without any document is left out. */
function groupNode({ label, page: name, items }: Item<'group'>, making: NodeMaking): SidebarNode[] {
  const page = name === undefined ? undefined : making.find(name);
  if (name !== undefined && !page && isBlog(name)) return [{ label, href: '/blog' }];
  const inner = writtenNodes(items, making);
  if (inner.length === 0 && !page) return [];
  return [{ label, ...(page && { href: page.address }), ...(inner.length > 0 && { items: inner }) }];
}
