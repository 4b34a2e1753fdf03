import type { PageFolder, PagePropsByFolder } from '../../../client/contract/pages.ts';
import type { Link } from '../../../client/contract/reading.ts';
import type { SiteSources } from './site-sources.ts';

/** A request for a page. */
export interface PageRequest extends SiteSources {
  path: string;
  query: URLSearchParams;
  /** Pages whose addresses are similar to an unknown one. */
  nearest: (path: string) => Link[];
}

/** What a page in folder F shows for a request. */
export interface PageResult<F extends PageFolder> {
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
