/** One pass over all facts: addresses, links, sidebar, blog. */
import type { Author, Tag } from '../../../client/contract/content.ts';
import type { Content } from '../content.ts';
import type { Fault } from '../fault.ts';
import type { Assets } from './assets.ts';
import { indexDocs } from './docs.ts';
import { createLinks, type Links } from './links.ts';
import { createPageTable } from './page-table.ts';
import { type IndexedPage, type IndexRules, indexPages, type LoadedPage } from './pages.ts';
import { indexPosts } from './posts.ts';
import { buildSidebar } from './sidebar.ts';
import { readSidebarSettings } from './sidebar-settings.ts';

export interface IndexSources extends IndexRules {
  pages: Iterable<LoadedPage>;
  /** Sidebar settings: file → path. */
  settings: ReadonlyMap<string, string>;
  assets: Assets;
  builtInAssets: Assets;
  authors: ReadonlyMap<string, Author>;
  tags: ReadonlyMap<string, Tag>;
  catalogueIds: ReadonlySet<string>;
  siteAddresses: ReadonlySet<string>;
}

export interface Index extends Omit<Content, 'version' | 'body' | 'source' | 'stats'> {
  byAddress: ReadonlyMap<string, IndexedPage>;
  linksOf(page: IndexedPage): Links;
}

/** Builds everything the site asks for by address, and finds what is wrong between pages. */
export function buildIndex(sources: IndexSources): Index {
  const faults: Fault[] = [];
  const { pages, heldBack } = indexPages(sources.pages, sources, faults);
  const of = (kind: string): IndexedPage[] => pages.filter((page) => page.kind === kind);
  const posts = of('post');
  const siteAddresses = new Set([...sources.siteAddresses, ...listAddresses(posts)]);
  const shared = { table: createPageTable(pages), siteAddresses, heldBack: new Set(heldBack.map((page) => page.file)) };
  const ownLinks = createLinks({ ...shared, assets: sources.assets });
  const builtInLinks = createLinks({ ...shared, assets: sources.builtInAssets });
  const linksOf = (page: IndexedPage): Links => (page.builtIn ? builtInLinks : ownLinks);
  const sidebar = buildSidebar(of('doc'), readSidebarSettings(sources.settings, faults), faults);
  const docs = indexDocs(of('doc'), sidebar, sources.catalogueIds, faults);
  const blog = indexPosts(posts, { ...sources, links: ownLinks }, faults);
  for (const page of pages) if (!page.builtIn) faults.push(...pageFaults(page, linksOf(page)));
  const markdownPages = new Map(
    of('page').map(({ address, title, description, file }) => [address.slice(1), { title, description, file }]),
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
    files: new Map([...sources.assets.files, ...sources.builtInAssets.files]),
    faults: faults.toSorted((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
    ),
    byAddress: new Map(pages.map((page) => [page.address, page])),
    linksOf,
  };
}

function* listAddresses(posts: readonly IndexedPage[]): Generator<string> {
  for (const { facts } of posts) {
    for (const { name } of facts.front.tags) yield `/blog/tags/${name}`;
    for (const { name } of facts.front.authors) yield `/blog/authors/${name}`;
  }
}

/** What was found while compiling, and references that lead nowhere. */
function pageFaults(page: IndexedPage, links: Links): Fault[] {
  const { file, facts } = page;
  const found = facts.faults.map((fault) => ({ file, ...fault }));
  for (const reason of facts.broken ?? [])
    found.push({ file, line: 1, column: 1, rule: 'broken-page', message: reason });
  for (const { kind, href, line, column } of facts.references) {
    const { problem } = kind === 'image' ? links.image(page, href) : links.link(page, href);
    if (problem) found.push({ file, line, column, ...problem });
  }
  return found;
}
