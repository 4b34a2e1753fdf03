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
