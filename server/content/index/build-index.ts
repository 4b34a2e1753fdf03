import type { Author, Tag } from '../../../client/contract/reading.ts';
import type { Content } from '../content.ts';
import type { WrittenAddress } from '../data/written-addresses.ts';
import { type Fault, leftOutFault } from '../fault.ts';
import type { WrittenOrder } from '../order/written-order.ts';
import type { Assets } from './assets.ts';
import { indexDocs } from './docs.ts';
import type { LinkCheck } from './link-check.ts';
import { createLinks, type Links } from './links.ts';
import { createMoved } from './older-addresses.ts';
import { createPageTable, duplicateIds } from './page-table.ts';
import { type IndexedPage, type IndexRules, indexPages, type LoadedPage } from './pages.ts';
import { indexPosts } from './posts.ts';
import { buildSidebar } from './sidebar.ts';
import { readSidebarSettings } from './sidebar-settings.ts';
import { checkWritten } from './written-check.ts';
import { createFindDocument } from './written-nodes.ts';

export interface IndexSources extends IndexRules {
  pages: Iterable<LoadedPage>;
  /** Files with sidebar settings: file → path. */
  settings: ReadonlyMap<string, string>;
  /** Orders written for other tools, by folder. */
  orders: ReadonlyMap<string, WrittenOrder>;
  /** The content is an Obsidian vault. */
  isVault: boolean;
  assets: Assets;
  builtInAssets: Assets;
  check: LinkCheck;
  authors: ReadonlyMap<string, Author>;
  tags: ReadonlyMap<string, Tag>;
  catalogueIds: ReadonlySet<string>;
  siteAddresses: ReadonlySet<string>;
  redirects: ReadonlyMap<string, string>;
  written: readonly WrittenAddress[];
  /** What exists but is not read: file or folder → why. */
  leftOut: ReadonlyMap<string, string>;
}

export interface Index extends Omit<Content, 'version' | 'body' | 'source' | 'stats'> {
  byAddress: ReadonlyMap<string, IndexedPage>;
  linksOf(page: IndexedPage): Links;
}

/** Builds everything that the site looks up by address, in one pass over all facts, and finds faults between pages. */
export function buildIndex(sources: IndexSources): Index {
  const faults = [...sources.leftOut].map(([file, problem]) => leftOutFault(file, problem));
  const { pages, heldBack } = indexPages(sources.pages, sources, faults);
  const of = (kind: string): IndexedPage[] => pages.filter((page) => page.kind === kind);
  const posts = of('post');
  const siteAddresses = new Set([...sources.siteAddresses, ...sources.redirects.keys(), ...listAddresses(posts)]);
  const shared = { table: createPageTable(pages), siteAddresses, heldBack: new Set(heldBack.map((page) => page.file)) };
  const ownLinks = createLinks({ ...shared, assets: sources.assets });
  const builtInLinks = createLinks({ ...shared, assets: sources.builtInAssets });
  const linksOf = (page: IndexedPage): Links => (page.builtIn ? builtInLinks : ownLinks);
  const settings = readSidebarSettings(sources.settings, faults);
  const find = createFindDocument(shared.table);
  const { orders, isVault } = sources;
  const sidebar = buildSidebar({ ...shared, docs: of('doc'), settings, orders, find, foldersFirst: isVault }, faults);
  const docs = indexDocs(of('doc'), sidebar, { ...sources, ...shared }, faults);
  const blog = indexPosts(posts, { ...sources, ...shared, links: ownLinks }, faults);
  faults.push(...duplicateIds(pages));
  const others = [...siteAddresses, ...shared.heldBack].join('\n');
  faults.push(...sources.check.faults(pages, shared.table, others, linksOf));
  // Drafts are not checked; a page withheld because of a fault is reported with it.
  for (const { file, facts } of heldBack)
    if (facts.front.withheld) faults.push(...facts.faults.map((fault) => ({ file, ...fault })));
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  const site = new Set([...sources.siteAddresses, ...blogLists(blog)]);
  const moved = createMoved(pages, new Set([...byAddress.keys(), ...site]));
  faults.push(
    ...checkWritten(sources.written, {
      pages: byAddress,
      site,
      redirects: new Map([...moved, ...sources.redirects]),
      isFile: (address) => [sources.assets, sources.builtInAssets].some((assets) => assets.find(`static${address}`)),
    }),
  );
  const markdownPages = new Map(
    of('page').map(({ address, title, description, file, facts: { broken } }) => [
      address.slice(1),
      { title, description, file, ...(broken && { broken }) },
    ]),
  );
  return {
    docs: docs.entries,
    posts: blog.entries,
    markdownPages,
    sidebar,
    tags: blog.tags,
    authors: blog.authors,
    years: blog.years,
    order: docs.order,
    moved,
    files: new Map([...sources.assets.files, ...sources.builtInAssets.files]),
    faults: distinct(faults).toSorted((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
    ),
    byAddress,
    linksOf,
  };
}

/** The faults of a file that several pages include are reported once. */
function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

function* listAddresses(posts: readonly IndexedPage[]): Generator<string> {
  for (const { facts } of posts) {
    for (const { name } of facts.front.tags) yield `/blog/tags/${name}`;
    for (const { name } of facts.front.authors) yield `/blog/authors/${name}`;
  }
}

function* blogLists({ tags, authors }: Pick<Content, 'tags' | 'authors'>): Generator<string> {
  for (const { tag } of tags) yield `/blog/tags/${tag.id}`;
  for (const { author } of authors) yield `/blog/authors/${author.name}`;
}
