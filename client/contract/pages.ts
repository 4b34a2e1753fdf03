/** What each page is given besides `site`; keys are the Vike page folders. */

import type { Catalogue, Connector } from './catalogue.ts';
import type { Pricing } from './pricing.ts';
import type { Author, Doc, Link, MarkdownPage, Post, PostCard, SidebarNode, Tag } from './reading.ts';
import type { SearchResult } from './search.ts';
import type { Site } from './site.ts';

/** Title, description and the rest of <head>. `title` is given without the brand's name. */
export interface Head {
  title: string;
  description: string;
  /** Canonical path; undefined on pages that must not be indexed (404, 500). */
  canonical?: string;
  noindex?: boolean;
  /** `article` for posts. */
  type?: 'website' | 'article';
  /** schema.org objects besides the organisation; addresses in them are paths, made absolute when written out. */
  structured?: StructuredData[];
}

/** A schema.org object. */
export interface StructuredData {
  '@type': string;
  [property: string]: unknown;
}

/** Posts of one year, as the sidebar of the blog lists them. */
export interface Year {
  year: string;
  posts: Link[];
}

export interface PagePropsByFolder {
  index: { catalogue: Catalogue; posts: PostCard[] };
  why: { catalogue: Catalogue };
  connector: {
    catalogue: Catalogue;
    /** Filters from the address; `found` is what they leave. */
    filter: { kind?: string; role?: 'source' | 'target'; q?: string };
    found: Connector[];
  };
  solution1: { posts: PostCard[]; docs: Link[]; catalogue: Catalogue };
  solution2: { posts: PostCard[]; docs: Link[]; catalogue: Catalogue };
  pricing: { pricing: Pricing };
  /** A release without a date is planned. */
  about: { releases: { version: string; date?: string; href: string; description: string }[] };
  login: Record<never, never>;
  register: Record<never, never>;
  registerFromMarket: Record<never, never>;
  resetPwd: Record<never, never>;
  loading: Record<never, never>;
  'markdown-page': { page: MarkdownPage };
  /** The not-found page, at /404 and at every unknown address. */
  '404': { wanted: string; nearest: Link[] };
  docs: { doc: Doc; sidebar: SidebarNode[]; catalogue: Catalogue; target?: string };
  /** `page` introduces the list, when the content has one (`blog/index.md`). */
  blog: { page?: MarkdownPage; posts: PostCard[]; years: Year[] };
  'blog/post': { post: Post; years: Year[] };
  'blog/archive': { years: { year: string; posts: PostCard[] }[] };
  'blog/authors': { authors: (Author & { posts: number })[]; years: Year[] };
  'blog/author': { author: Author; posts: PostCard[]; years: Year[] };
  'blog/tags': { tags: (Tag & { posts: number })[]; years: Year[] };
  'blog/tag': { tag: Tag; posts: PostCard[]; years: Year[] };
  /** `problem` says why there can be no results yet. */
  search: { q: string; results: SearchResult[]; problem?: string };
  /** 'This page crashed.' */
  _error: { requestId: string };
}

export type PageFolder = keyof PagePropsByFolder;

/** Props of the page in folder F. */
export type PageProps<F extends PageFolder> = PagePropsByFolder[F] & { site: Site };
