import { posix } from 'node:path';
import type { Heading, List, ListItem, Nodes, Paragraph, Root } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import { beyondBounds, tooCrowded } from '../bounds.ts';
import { markdownParser } from '../markdown-parser.ts';
import { CrowdedTextError } from '../plugins/crowded-text.ts';
import type { Position } from '../yaml.ts';
import { isExternal, type OrderItem, orderFault, type ReadOrder, type WrittenOrder } from './written-order.ts';

/**
 * `SUMMARY.md` as mdBook and GitBook write it, `TOC.md` as PingCAP and DocFX do: lists of links below headings. Paths
 * are relative to the file's folder; with a leading slash, to docs/.
 */
export const readSummary: ReadOrder = (text, file) => {
  const folder = posix.relative('docs', posix.dirname(file === posix.basename(file) ? `docs/${file}` : file));
  const beyond = beyondBounds(file, text);
  if (beyond) return unread(file, 1, beyond);
  try {
    return { file, items: itemsOf(markdownParser.parse(text), folder), faults: [] };
  } catch (error) {
    if (!(error instanceof CrowdedTextError)) throw error;
    return unread(file, error.line, tooCrowded(file, error.line));
  }
};

/** An order too crowded to parse orders nothing. */
function unread(file: string, line: number, message: string): WrittenOrder {
  return { file, items: [], faults: [orderFault(file, { line, column: 1 }, message)] };
}

/** A group that a heading has opened. */
interface Opened {
  depth: number;
  items: OrderItem[];
}

function itemsOf({ children }: Root, folder: string): OrderItem[] {
  const items: OrderItem[] = [];
  let open: Opened[] = [];
  const title = titleOf(children);
  for (const node of children) {
    const into = open.at(-1)?.items ?? items;
    if (node.type === 'list') into.push(...listItems(node, folder));
    // A chapter outside all lists comes before the first part, or after the last.
    if (node.type === 'paragraph') items.push(...entryOf(node, [], folder));
    if (node.type !== 'heading' || node === title) continue;
    open = open.filter(({ depth }) => depth < node.depth);
    const group = groupOf(node, folder);
    (open.at(-1)?.items ?? items).push(group);
    open.push({ depth: node.depth, items: group.items });
  }
  return items;
}

/** A heading before everything else names the whole, unless it is a link, as in DocFX. */
function titleOf(children: Root['children']): Heading | undefined {
  const first = children.find(({ type }) => type !== 'html' && type !== 'definition');
  return first?.type === 'heading' && first.depth === 1 && linkIn(first) === undefined ? first : undefined;
}

function groupOf(node: Heading, folder: string): OrderItem & { kind: 'group' } {
  const link = linkIn(node);
  const page = link?.url && !isExternal(link.url) ? pathOf(link.url, folder) : undefined;
  return { kind: 'group', label: labelOf(node), items: [], ...placeOf(node), ...(page !== undefined && { page }) };
}

function listItems(list: List, folder: string): OrderItem[] {
  return list.children.flatMap((item) => {
    const inner = item.children.flatMap((child) => (child.type === 'list' ? listItems(child, folder) : []));
    return entryOf(item, inner, folder);
  });
}

/** What an entry and its descendants become; a chapter that is yet to be written has no address and is left out. */
function entryOf(node: ListItem | Paragraph, inner: OrderItem[], folder: string): OrderItem[] {
  const own = node.type === 'paragraph' ? node : node.children.find((child) => child.type === 'paragraph');
  const link = own && linkIn(own);
  const label = own ? labelOf(link ?? own) : '';
  const place = placeOf(own ?? node);
  if (link?.url && isExternal(link.url)) return [{ kind: 'link', href: link.url, label, ...place }, ...inner];
  const page = link?.url ? pathOf(link.url, folder) : undefined;
  if (inner.length > 0) return [{ kind: 'group', label, items: inner, ...place, ...(page !== undefined && { page }) }];
  return page === undefined ? [] : [{ kind: 'page', page, ...place, ...(label && { label }) }];
}

function pathOf(url: string, folder: string): string {
  const path = url.replace(/[?#].*$/, '');
  return path.startsWith('/') ? path.slice(1) : posix.join(folder, path);
}

function linkIn(node: Nodes): (Nodes & { type: 'link' }) | undefined {
  if (node.type === 'link') return node;
  if (!('children' in node)) return undefined;
  for (const child of node.children) {
    const found = child.type === 'list' ? undefined : linkIn(child);
    if (found) return found;
  }
  return undefined;
}

/** Pictures beside an entry, such as a “new” badge, are not part of its words. */
function labelOf(node: Nodes): string {
  return textOf(node, { includeImageAlt: false }).replace(/\s+/g, ' ').trim();
}

function placeOf(node: Nodes): Position {
  const { line, column } = node.position?.start ?? { line: 1, column: 1 };
  return { line, column };
}
