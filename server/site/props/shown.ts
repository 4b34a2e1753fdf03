import type { PageFolder, PagePropsByFolder } from '../../../client/contract/pages.ts';
import type { Link } from '../../../client/contract/reading.ts';
import type { Content } from '../../content/content.ts';
import type { SiteData } from '../../content/data/site-data.ts';
import type { SearchIndex } from '../search/search-index.ts';

/** What pages are made from. */
export interface SiteSources {
  content: Content;
  data: SiteData;
  history: History;
  /** Resolves when the index is built. */
  search: () => Promise<SearchIndex>;
}

/** Days of the last changes, and where content files are edited. */
export interface History {
  /** Content file → day of its last change. */
  updated: ReadonlyMap<string, string>;
  editUrl?: string | undefined;
  /** In development, a page shows what its author has to fix. */
  showFaults?: boolean;
}

/** A request for a page. */
export interface Wanted extends SiteSources {
  path: string;
  query: URLSearchParams;
  /** Pages whose addresses are like one that is unknown. */
  nearest: (path: string) => Link[];
}

/** What a page in folder F shows for a request. */
export interface Shown<F extends PageFolder> {
  props: PagePropsByFolder[F];
  /** Props that take work to find: called when the page is rendered. */
  moreProps?: () => Promise<Partial<PagePropsByFolder[F]>>;
  /** Pages of one key are the same bytes; default: the path; null: not to be kept. */
  cacheKey?: string | null;
  /** Where it differs from that of the address. */
  title?: string;
  /** False where search engines must not keep this variant of the page. */
  indexed?: boolean;
}
