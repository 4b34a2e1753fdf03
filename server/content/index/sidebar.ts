/** The tree of the documentation: written orders first, everything else by position and name. */
import type { SidebarNode } from '../../../client/contract/reading.ts';
import { isFolderPage } from '../address.ts';
import type { Fault } from '../fault.ts';
import { type IndexedPage, titleFromName } from './pages.ts';
import type { GroupSettings, SidebarItem } from './sidebar-settings.ts';

interface Folder {
  path: string;
  page?: IndexedPage;
  pages: IndexedPage[];
  folders: Map<string, Folder>;
}

/** A node on its way into the tree, with what it is ordered by. */
interface Entry {
  node: SidebarNode;
  position: number;
  name: string;
}

/** Builds the whole tree; pages that no sidebar.yml lists are appended to their folder's group. */
export function buildSidebar(
  docs: readonly IndexedPage[],
  settings: ReadonlyMap<string, GroupSettings>,
  faults: Fault[],
): SidebarNode[] {
  const byPath = new Map(docs.map((page) => [page.file.replace(/^docs\/|\.\w+$/g, ''), page]));
  const listed = new Set<IndexedPage>();
  const written = new Map<string, SidebarNode[]>();
  for (const [folder, group] of settings) {
    const find = (item: string, path: (string | number)[]): IndexedPage | undefined => {
      const page = byPath.get(item) ?? byPath.get(`${item}/index`);
      if (page) listed.add(page);
      else
        faults.push({
          file: group.file,
          ...group.at(path),
          rule: 'sidebar-item',
          message: `The sidebar names ${item}, which does not exist.`,
        });
      return page;
    };
    written.set(folder, writtenNodes(group.items, ['items'], find));
  }
  const root = folderTree(docs);
  return ordered(entries(root, { settings, written, listed }));
}

const byName = new Intl.Collator('en', { numeric: true });

type Path = (string | number)[];

function writtenNodes(
  items: SidebarItem[],
  path: Path,
  find: (item: string, path: Path) => IndexedPage | undefined,
): SidebarNode[] {
  return items.flatMap((item, index): SidebarNode[] => {
    if (typeof item !== 'string')
      return [{ label: item.label, items: writtenNodes(item.items, [...path, index, 'items'], find) }];
    const page = find(item, [...path, index]);
    return page ? [pageNode(page)] : [];
  });
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
}

function entries(folder: Folder, rules: Written): Entry[] {
  const shown = (page: IndexedPage): boolean =>
    !rules.listed.has(page) && page.facts.front.sidebar && !/\/_[^/]*$/.test(page.file);
  const isRoot = folder.path === 'docs';
  const pages = isRoot && folder.page ? [folder.page, ...folder.pages] : folder.pages;
  const own = pages.filter(shown).map((page) => ({ node: pageNode(page), ...orderOf(page) }));
  const inner = [...folder.folders.values()].flatMap((one) => folderEntry(one, rules, shown));
  return [...own, ...inner];
}

function folderEntry(folder: Folder, rules: Written, shown: (page: IndexedPage) => boolean): Entry[] {
  const settings = rules.settings.get(folder.path);
  const items = [...(rules.written.get(folder.path) ?? []), ...ordered(entries(folder, rules))];
  const page = folder.page && shown(folder.page) ? folder.page : undefined;
  if (items.length === 0 && !page) return [];
  const name = folder.path.slice(folder.path.lastIndexOf('/') + 1);
  const label = settings?.label ?? (folder.page ? labelOf(folder.page) : titleFromName(name));
  const position = settings?.position ?? folder.page?.facts.front.position ?? numberIn(name);
  const node = { label, ...(page && { href: page.address }), ...(items.length > 0 && { items }) };
  return [{ node, position, name }];
}

function pageNode(page: IndexedPage): SidebarNode {
  return { label: labelOf(page), href: page.address };
}

function labelOf(page: IndexedPage): string {
  return page.facts.front.sidebarLabel ?? page.title;
}

function orderOf(page: IndexedPage): { position: number; name: string } {
  const name = page.file.slice(page.file.lastIndexOf('/') + 1);
  // The page of the root comes first.
  const fallback = isFolderPage(page.file) ? -1 : numberIn(name);
  return { position: page.facts.front.position ?? fallback, name };
}

function numberIn(name: string): number {
  const found = /^(\d+)[-_. ]/.exec(name)?.[1];
  return found ? Number(found) : Number.POSITIVE_INFINITY;
}

function ordered(found: Entry[]): SidebarNode[] {
  return found
    .toSorted((a, b) => (a.position === b.position ? byName.compare(a.name, b.name) : a.position - b.position))
    .map(({ node }) => node);
}
