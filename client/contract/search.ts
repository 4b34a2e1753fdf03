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
