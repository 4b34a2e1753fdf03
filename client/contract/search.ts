import { counted } from './counted.ts';

/** The maximum number of results in an answer. */
export const mostResults = 20;

/** Their number, in words; a full answer may have left out more. */
export function resultWords(count: number): string {
  return count < mostResults ? counted(count, 'result') : `The first ${count} results`;
}

/** One hit of `GET /search.json?q=`. */
export interface SearchResult {
  /** Title of the document, post or page. */
  title: string;
  /** Address, with the heading's anchor when the hit is below a heading. */
  href: string;
  heading?: string;
  /** The part of the site that it belongs to: the first breadcrumb, 'Blog' or 'Site'. */
  section: string;
  /** Words around the hit; marked parts match the query. */
  excerpt: { text: string; mark?: boolean }[];
}

export interface SearchAnswer {
  results: SearchResult[];
}
