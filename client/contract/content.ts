/** What the server hands the pages: plain, frozen data; no function, no class, no file path. */
import type { Root } from 'hast';

/** One entry of a table of contents (levels 2 and 3). */
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

/** A node of the documentation sidebar: a document (href) or a category (items). */
export interface SidebarNode {
  label: string;
  href?: string;
  items?: SidebarNode[];
}

/** Compiled markdown: what every document, post and markdown page has. */
export interface Compiled {
  /** Sanitised hast without style attributes; the level-1 heading is not in it. */
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
  /** Catalogue id of the source, on connection pages. */
  connection?: string;
  /** ISO date (YYYY-MM-DD) named in the front matter, e.g. of a release note. */
  date?: string;
  /** Day of the last change, where the history is known. */
  updated?: string;
  /** Where to propose a change, when the operator named a place. */
  editHref?: string;
  /** Set when the file could not be compiled: the page shows these sentences instead of the text. */
  broken?: string[];
  /** In development: what the author has to mend in the file, shown above the text. */
  faults?: string[];
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

/** What lists show of a post. */
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
  /** Newer and older post. */
  previous?: Link;
  next?: Link;
  broken?: string[];
  faults?: string[];
}

/** A page written in markdown alone. */
export interface MarkdownPage extends Compiled {
  title: string;
  description: string;
  file: string;
}

export interface Brand {
  id: string;
  name: string;
  legalName: string;
  tagline: string;
  description: string;
  domain: string;
  supportEmail: string;
  salesEmail: string;
  privacyEmail: string;
  securityEmail: string;
}

export interface BarGroup {
  id: 'product' | 'solutions' | 'resources' | 'pricing' | 'about';
  label: string;
  href?: string;
  items?: { label: string; href: string; description?: string }[];
}

export interface Navigation {
  bar: BarGroup[];
  footer: { title: string; links: Link[] }[];
}

export interface Announcement {
  id: string;
  text: string;
  href: string;
  linkLabel: string;
}

export type ConnectorFunction = 'schema' | 'full' | 'incremental' | 'verification' | 'correction';

export interface Connector {
  id: string;
  name: string;
  kind: string;
  description: string;
  versions: string[];
  /** Address of its document, when there is one. */
  document?: string;
  /** Ids of the targets it offers as a source, and of the sources that offer it as a target. */
  targets: string[];
  sources: string[];
}

export interface Catalogue {
  kinds: { id: string; label: string }[];
  connectors: Connector[];
  /** Functions by `source>target`. */
  functions: Record<string, ConnectorFunction[]>;
}

export interface Pricing {
  currency: string;
  linkHourCents: number;
  newAccountCredits: number;
  cloud: { id: string; label: string; unit: string; unitSize: number; cents: number }[];
  ladder: { minLinks: number; rate: number }[];
  periods: { num: number; unit: 'DAY' | 'MONTH' | 'YEAR' }[];
  plans: {
    id: 'community' | 'cloud' | 'trial' | 'enterprise';
    name: string;
    price: string;
    summary: string;
    features: string[];
    /** `href: cloud-app` stands for the cloud app's root. */
    cta: Link;
  }[];
  table: { feature: string; values: Record<'community' | 'cloud' | 'trial' | 'enterprise', string> }[];
  questions: { q: string; a: string }[];
}

/** What every page gets. */
export interface Site {
  brand: Brand;
  navigation: Navigation;
  announcement?: Announcement;
  /** Absolute address without a trailing slash; canonical links are made from it. */
  publicUrl: string;
  /** Root of the cloud app, without a trailing slash. */
  cloudAppUrl: string;
  deploySite: string;
  /** True when a console backend answers the account calls. */
  accounts: boolean;
  /** True when the operator's own tag reads `window.dataLayer`. */
  dataLayer: boolean;
  /** Changes with the built files; a page of another build is loaded in full. */
  build: string;
}
