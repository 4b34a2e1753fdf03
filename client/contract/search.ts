import { counted } from './counted.ts';

/** No answer has more. */
export const mostResults = 20;

/** How many there are, in words; behind the last of a full answer there may be more. */
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
  /** Part of the site that it belongs to: the first breadcrumb, 'Blog' or 'Site'. */
  section: string;
  /** Words around the hit; marked parts are what was looked for. */
  excerpt: { text: string; mark?: boolean }[];
}

export interface SearchAnswer {
  results: SearchResult[];
}
