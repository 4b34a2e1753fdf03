import type { Catalogue, Connector } from './catalogue.ts';
import type { AccountText, PageTexts } from './page-texts.ts';
import type { Pricing } from './pricing.ts';
import type { Author, Doc, Link, MarkdownPage, Post, PostCard, SidebarNode, Tag } from './reading.ts';
import type { SearchResult } from './search.ts';
import type { Site } from './site.ts';

/** What search engines, tabs and previews see of a page. `title` comes without the brand's name. */
export interface PageMeta {
  title: string;
  description: string;
  /** Path for search engines and social networks; undefined on pages that are not meant for them. */
  canonical?: string;
  /** False on pages that search engines must not index. */
  indexed: boolean;
}

/** What a page's +head.ts adds to its <head>. */
export interface Head {
  /** `article` for posts. */
  type?: 'website' | 'article';
  /** schema.org objects besides the organisation; their addresses are paths, made absolute when written out. */
  structured: StructuredData[];
}

/** A schema.org object. */
export interface StructuredData {
  '@type': string;
  [property: string]: unknown;
}

/** Posts of one year, as the blog's sidebar lists them. */
export interface Year {
  year: string;
  posts: Link[];
}

/** What each page receives besides `site`; keys are the Vike page folders. */
export interface PagePropsByFolder {
  index: { text: PageTexts['index']; catalogue: Catalogue; posts: PostCard[] };
  why: { text: PageTexts['why'] };
  connector: {
    text: PageTexts['connector'];
    catalogue: Catalogue;
    /** Filters from the address; `found` contains the matches. */
    filter: { kind?: string; role?: 'source' | 'target'; q?: string };
    found: Connector[];
  };
  solution1: { text: PageTexts['solution1']; posts: PostCard[]; docs: Link[]; catalogue: Catalogue };
  solution2: { text: PageTexts['solution2']; posts: PostCard[]; docs: Link[]; catalogue: Catalogue };
  pricing: { text: PageTexts['pricing']; pricing: Pricing };
  /** A release without a date is planned. */
  about: {
    text: PageTexts['about'];
    releases: { version: string; date?: string; href: string; description: string }[];
  };
  login: { panel: AccountText['account'] };
  register: { panel: AccountText['account'] };
  registerFromMarket: { panel: AccountText['market'] };
  resetPwd: { panel: AccountText['reset'] };
  loading: Record<never, never>;
  /** The shell of the console's pages. */
  console: { title: string };
  'markdown-page': { page: MarkdownPage };
  /** The not-found page, at /404 and at every unknown address. */
  '404': { wanted: string; nearest: Link[] };
  docs: { doc: Doc; sidebar: SidebarNode[]; catalogue: Catalogue; target?: string };
  /** `page` introduces the list, when the content has one (`blog/index.md`). */
  blog: { title: string; lede: string; page?: MarkdownPage; posts: PostCard[]; years: Year[] };
  'blog/post': { post: Post; years: Year[] };
  'blog/archive': { lede: string; years: { year: string; posts: PostCard[] }[] };
  'blog/authors': { lede: string; authors: (Author & { posts: number })[]; years: Year[] };
  'blog/author': { author: Author; posts: PostCard[]; years: Year[] };
  'blog/tags': { lede: string; tags: (Tag & { posts: number })[]; years: Year[] };
  'blog/tag': { tag: Tag; posts: PostCard[]; years: Year[] };
  /** `problem` says why there can be no results yet. */
  search: { lede: string; q: string; results: SearchResult[]; problem?: string };
  /** 'This page crashed.' */
  _error: { requestId: string };
}

export type PageFolder = keyof PagePropsByFolder;

/** Props of the page in folder F. */
export type PageProps<F extends PageFolder> = PagePropsByFolder[F] & { site: Site };
