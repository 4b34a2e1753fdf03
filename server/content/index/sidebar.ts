import type { SidebarNode } from '../../../client/contract/reading.ts';
import { isFolderPage } from '../address.ts';
import type { Fault } from '../fault.ts';
import type { WrittenOrder } from '../order/written-order.ts';
import type { PageTable } from './page-table.ts';
import { type IndexedPage, titleFromName } from './pages.ts';
import type { GroupSettings } from './sidebar-settings.ts';
import { type FindDocument, listDocuments, type NodeMaking, writtenNodes } from './written-nodes.ts';

interface Folder {
  path: string;
  page?: IndexedPage;
  pages: IndexedPage[];
  folders: Map<string, Folder>;
}

/** A node on its way into the tree, with its sort keys. */
interface Entry {
  node: SidebarNode;
  position: number;
  name: string;
  isFolder?: true;
}

export interface SidebarSources {
  docs: readonly IndexedPage[];
  /** By folder, e.g. `docs/guide`. */
  settings: ReadonlyMap<string, GroupSettings>;
  orders: ReadonlyMap<string, WrittenOrder>;
  find: FindDocument;
  /** Existing files that are not served. */
  heldBack: ReadonlySet<string>;
  table: PageTable;
  siteAddresses: ReadonlySet<string>;
  /** As in Obsidian's file explorer, at equal positions. */
  foldersFirst: boolean;
}

/** Builds the documentation tree: written orders first, everything else by position and name, in its folder's group. */
export function buildSidebar(sources: SidebarSources, faults: Fault[]): SidebarNode[] {
  const { docs, settings, orders, find, heldBack, table, siteAddresses, foldersFirst } = sources;
  const root = folderTree(docs);
  const making: NodeMaking = {
    find,
    labelOf,
    listed: new Set(),
    isHeldBack: (name) => ['', '.md', '.mdx'].some((ending) => heldBack.has(`docs/${name}${ending}`)),
    addressAt(href) {
      const path = href.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '');
      return table.byPath(path)?.address ?? (siteAddresses.has(path) ? path : undefined);
    },
    restOf(path) {
      const folder = folderAt(root, path);
      const nodes = folder ? [...(written.get(path) ?? []), ...ordered(entries(folder, rules), rules)] : [];
      for (const one of folder ? withFoldersBelow(folder) : []) {
        for (const page of one.page ? [one.page, ...one.pages] : one.pages) making.listed.add(page);
        rules.whole.add(one.path);
      }
      return nodes;
    },
  };
  const written = new Map<string, SidebarNode[]>();
  const rules: Written = { settings, written, listed: making.listed, whole: new Set(), find, foldersFirst };
  // An order written for this site takes precedence over one written for another tool.
  const all = new Map([...orders, ...[...settings].filter(([, group]) => group.items.length > 0)]);
  for (const { file, items } of all.values()) listDocuments({ file, items, faults: [] }, making, faults);
  for (const order of orders.values()) faults.push(...order.faults);
  for (const { page } of settings.values()) if (page !== undefined) listFound(page, making);
  // Deeper folders first: a folder that an order lists as a whole shows them in their own order.
  for (const [folder, { items }] of [...all].toSorted(([a], [b]) => b.length - a.length))
    written.set(folder, writtenNodes(items, making));
  return [...(written.get('docs') ?? []), ...ordered(entries(root, rules), rules)];
}

function listFound(name: string, { find, listed }: NodeMaking): void {
  const page = find(name);
  if (page) listed.add(page);
}

const byName = new Intl.Collator('en', { numeric: true });

function folderAt(root: Folder, path: string): Folder | undefined {
  const names = path.split('/').slice(1);
  return names.reduce<Folder | undefined>((folder, name) => folder?.folders.get(name), root);
}

function withFoldersBelow(folder: Folder): Folder[] {
  return [folder, ...[...folder.folders.values()].flatMap(withFoldersBelow)];
}

function folderTree(docs: readonly IndexedPage[]): Folder {
  const root: Folder = { path: 'docs', pages: [], folders: new Map() };
  for (const page of docs) {
    let folder = root;
    for (const name of page.file.split('/').slice(1, -1)) {
      const inner = folder.folders.get(name) ?? { path: `${folder.path}/${name}`, pages: [], folders: new Map() };
      folder.folders.set(name, inner);
      folder = inner;
    }
    if (isFolderPage(page.file) && !folder.page) folder.page = page;
    else folder.pages.push(page);
  }
  return root;
}

interface Written {
  settings: ReadonlyMap<string, GroupSettings>;
  written: ReadonlyMap<string, SidebarNode[]>;
  listed: ReadonlySet<IndexedPage>;
  /** Folders that an order has listed as a whole. */
  whole: Set<string>;
  find: FindDocument;
  foldersFirst: boolean;
}

function entries(folder: Folder, rules: Written): Entry[] {
  const shown = (page: IndexedPage): boolean => !rules.listed.has(page) && page.facts.front.sidebar;
  const isRoot = folder.path === 'docs';
  const pages = isRoot && folder.page ? [folder.page, ...folder.pages] : folder.pages;
  const own = pages.filter(shown).map((page) => ({ node: pageNode(page), ...orderOf(page) }));
  const inner = [...folder.folders.values()].flatMap((one) => folderEntry(one, rules, shown));
  return [...own, ...inner];
}

function folderEntry(folder: Folder, rules: Written, shown: (page: IndexedPage) => boolean): Entry[] {
  if (rules.whole.has(folder.path)) return [];
  const settings = rules.settings.get(folder.path);
  const items = [...(rules.written.get(folder.path) ?? []), ...ordered(entries(folder, rules), rules)];
  const named = settings?.page === undefined ? undefined : rules.find(settings.page);
  const page = named ?? (folder.page && shown(folder.page) ? folder.page : undefined);
  if (items.length === 0 && !page) return [];
  const name = folder.path.slice(folder.path.lastIndexOf('/') + 1);
  const label = settings?.label ?? (folder.page ? labelOf(folder.page) : titleFromName(name));
  const position = settings?.position ?? folder.page?.facts.front.position ?? numberIn(name);
  const node = { label, ...(page && { href: page.address }), ...(items.length > 0 && { items }) };
  return [{ node, position, name, isFolder: true }];
}

function pageNode(page: IndexedPage): SidebarNode {
  return { label: labelOf(page), href: page.address };
}

function labelOf(page: IndexedPage): string {
  return page.facts.front.sidebarLabel ?? page.title;
}

function orderOf(page: IndexedPage): { position: number; name: string } {
  const name = page.file.slice(page.file.lastIndexOf('/') + 1);
  // The root's page comes first.
  const fallback = isFolderPage(page.file) ? -1 : numberIn(name);
  return { position: page.facts.front.position ?? fallback, name };
}

function numberIn(name: string): number {
  const found = /^(\d+)[-_. ]/.exec(name)?.[1];
  return found ? Number(found) : Number.POSITIVE_INFINITY;
}

function ordered(found: Entry[], { foldersFirst }: Written): SidebarNode[] {
  const rank = ({ isFolder }: Entry): number => (foldersFirst && !isFolder ? 1 : 0);
  return found
    .toSorted((a, b) =>
      a.position === b.position ? rank(a) - rank(b) || byName.compare(a.name, b.name) : a.position - b.position,
    )
    .map(({ node }) => node);
}
