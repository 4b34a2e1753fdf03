import type { PageFolder, PagePropsByFolder } from '../../../client/contract/pages.ts';
import type { Link } from '../../../client/contract/reading.ts';
import type { Content } from '../../content/content.ts';
import type { SiteData } from '../../content/data/site-data.ts';
import type { SearchIndex } from '../search/search-index.ts';

/** What pages are built from. */
export interface SiteSources {
  content: Content;
  data: SiteData;
  history: History;
  /** Resolves when the index is ready. */
  search: () => Promise<SearchIndex>;
}

/** The days of the last changes, and where content files are edited. */
export interface History {
  /** Content file → day of its last change. */
  updated: ReadonlyMap<string, string>;
  editUrl?: string | undefined;
  /** In development, a page shows what its author must fix. */
  showFaults?: boolean;
}

/** A request for a page. */
export interface Wanted extends SiteSources {
  path: string;
  query: URLSearchParams;
  /** Pages whose addresses are similar to an unknown one. */
  nearest: (path: string) => Link[];
}

/** What a page in folder F shows for a request. */
export interface Shown<F extends PageFolder> {
  props: PagePropsByFolder[F];
  /** Props that are expensive to compute: called when the page is rendered. */
  moreProps?: () => Promise<Partial<PagePropsByFolder[F]>>;
  /** Pages with the same key are the same bytes; default: the path; null: not cached. */
  cacheKey?: string | null;
  /** When it differs from the address's title. */
  title?: string;
  /** False when search engines must not index this variant of the page. */
  indexed?: boolean;
}
