import type { Root } from 'hast';

/** One table of contents entry (levels 2 and 3). */
export interface TocEntry {
  depth: 2 | 3;
  id: string;
  text: string;
}

/** A name and the address it leads to. */
export interface Link {
  label: string;
  href: string;
}

/** A node in the documentation sidebar: a document (href) or a category (items). */
export interface SidebarNode {
  label: string;
  href?: string;
  items?: SidebarNode[];
}

/** Compiled markdown: what every document, post and markdown page has. */
export interface Compiled {
  /** Sanitised hast without style attributes; it does not contain the level-1 heading. */
  tree: Root;
  toc: TocEntry[];
  /** Plain text for search and descriptions, in reading order. */
  text: string;
  readingMinutes: number;
}

export interface Doc extends Compiled {
  /** Site address, e.g. `/docs/intro/product_intro`. */
  path: string;
  title: string;
  description: string;
  /** Source file below CONTENT_DIR, e.g. `docs/intro/product_intro.md`. */
  file: string;
  /** False for the few pages without a sidebar. */
  hasSidebar: boolean;
  breadcrumbs: { label: string; href?: string }[];
  previous?: Link;
  next?: Link;
  /** The source's catalogue id, on connection pages. */
  connection?: string;
  /** ISO date (YYYY-MM-DD) from the front matter, e.g. of a release note. */
  date?: string;
  /** What the page describes does not run yet, as the page says at its top. */
  planned?: Planned;
  /** Day of the last change, if the history is known. */
  updated?: string;
  /** Where a change can be proposed, if the operator has set EDIT_URL. */
  editHref?: string;
  /** Set when the file could not be compiled: the page shows these sentences instead of the text. */
  broken?: string[];
  /** In development: what the author must fix in the file, shown above the text. */
  faults?: string[];
}

/** When what a page describes will be available. */
export interface Planned {
  /** Its number, or `later`. */
  release: string;
  /** Address of its release note. */
  note?: string;
}

export interface Author {
  /** Slug in `/blog/authors/{name}`. */
  name: string;
  label: string;
  title: string;
  description: string;
}

export interface Tag {
  id: string;
  label: string;
  description: string;
}

/** A post as lists show it. */
export interface PostCard {
  path: string;
  title: string;
  description: string;
  /** ISO date, YYYY-MM-DD. */
  date: string;
  tags: Tag[];
  authors: Author[];
  readingMinutes: number;
  /** The part before `<!-- more -->`. */
  excerpt: Root;
}

export interface Post extends PostCard, Compiled {
  file: string;
  /** What the page describes does not run yet, as the page says at its top. */
  planned?: Planned;
  /** Newer and older post. */
  previous?: Link;
  next?: Link;
  broken?: string[];
  faults?: string[];
}

/** A page written only in markdown. */
export interface MarkdownPage extends Compiled {
  title: string;
  description: string;
  file: string;
}
