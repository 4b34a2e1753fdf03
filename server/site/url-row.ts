import { countsOf } from '../../client/contract/catalogue.ts';
import { fill } from '../../client/contract/fill.ts';
import type { PageFolder, PageMeta } from '../../client/contract/pages.ts';
import type { PageTitle } from '../content/data/titles.ts';
import type { PageRequest, PageResult } from './props/page-request.ts';
import type { SiteSources } from './props/site-sources.ts';

/** An address of the site that shows a page. */
export interface Url {
  path: string;
  /** The path of its row, for the log. */
  route: string;
  folder: PageFolder;
  meta: PageMeta;
  /** ISO date (YYYY-MM-DD) from the content. */
  date?: string;
  preview: boolean;
  show: (request: PageRequest) => PageResult<PageFolder> | Promise<PageResult<PageFolder>>;
}

/** A row of the URL table. */
export interface UrlRow {
  /** Exact and case-sensitive; `*` and `:name` stand for what the content has. */
  path: string;
  /** Folder of the page's component, below pages/. */
  folder: PageFolder;
  /** Every address of the row in this content. */
  urls: (sources: SiteSources) => Url[];
}

/** Where a row appears besides the site's own links. */
interface Listing {
  /** In the sitemap; every other page is marked noindex. */
  sitemap: boolean;
  /** Has a preview picture, a canonical address and tags for social networks. */
  preview: boolean;
}

/** A page as lists show it; the content's documents and posts are already such entries. */
interface Entry {
  path: string;
  title: string;
  description: string;
  date?: string;
  /** Set when its file could not be compiled: it is still served, but not indexed. */
  broken?: string[];
}

type Props<F extends PageFolder, E> = (request: PageRequest, entry: E) => PageResult<F> | Promise<PageResult<F>>;

/** A row with one address and its title from pages/titles.yml. */
export function page<F extends PageFolder>(path: string, folder: F, listing: Listing, props: Props<F, Entry>): UrlRow {
  return pages(path, folder, listing, (sources) => [{ path, ...titleOf(path, sources) }], props);
}

/** A row whose addresses come from the content. */
export function pages<F extends PageFolder, E extends Entry>(
  path: string,
  folder: F,
  { sitemap, preview }: Listing,
  entries: (sources: SiteSources) => Iterable<E>,
  props: Props<F, E>,
): UrlRow {
  const urlOf = (entry: E): Url => ({
    path: entry.path,
    route: path,
    folder,
    meta: {
      title: entry.title,
      description: entry.description,
      ...(preview && { canonical: entry.path.split('/').map(encodeURIComponent).join('/') }),
      indexed: sitemap && !entry.broken,
    },
    ...(entry.date && { date: entry.date }),
    preview,
    show: (request) => props(request, entry),
  });
  return { path, folder, urls: (sources) => [...entries(sources)].map(urlOf) };
}

/** A row's title and description from pages/titles.yml; `label` is the tag's or author's name. */
export function titleOf(path: string, { data }: SiteSources, label = ''): PageTitle {
  const written = data.titles.get(path);
  if (!written) throw new Error(`pages/titles.yml has no title for ${path}.`);
  const values = { label, connectors: countsOf(data.catalogue).connectors };
  return { title: fill(written.title, values), description: fill(written.description, values) };
}
