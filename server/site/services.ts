import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageFolder, PageMeta } from '../../client/contract/pages.ts';
import type { Site } from '../../client/contract/site.ts';
import type { SiteConfig } from '../config/site.ts';
import type { Content } from '../content/content.ts';
import type { Log } from '../log.ts';
import type { SiteLimits } from './limits.ts';

/** What an address maps to. */
export type Found = FoundPage | FoundRedirect;

export interface FoundPage {
  kind: 'page';
  status: 200 | 404;
  folder: PageFolder;
  props: Record<string, unknown>;
  meta: PageMeta;
  /** Props that are expensive to compute: called when the page is rendered. */
  moreProps?: () => Promise<Record<string, unknown>>;
  /** Route pattern for the log, e.g. `/docs/*`. */
  route: string;
  /** Pages with the same key are the same bytes; undefined: not cached. */
  cacheKey?: string;
  path: string;
}

export interface FoundRedirect {
  kind: 'redirect';
  status: 301 | 302;
  to: string;
  route: string;
}

/** What is generated on demand and is not a page: a feed, the sitemap, a document's markdown, a preview picture. */
export interface GeneratedFile {
  /** Route pattern for the log. */
  route: string;
  /** Media type, with its charset if it is text. */
  type: string;
  body: () => string | Buffer | Promise<string | Buffer>;
  /** Awaited before a turn is taken, so a waiting request does not hold up others. */
  ready?: () => Promise<unknown>;
  /** Undefined: not cached. */
  cacheKey?: string;
  /** Default: `public, max-age=300`. */
  cacheControl?: string;
}

export interface Rendered {
  status: number;
  html: string;
  /** CSP hash of the document's style element, e.g. `sha256-…`. */
  styleHash?: string;
}

/** What the site is built from; `createApp` is a function of it. */
export interface SiteServices {
  config: SiteConfig;
  log: Log;
  /** The current content; a reload replaces it. */
  content: () => Content;
  /** When the current content was loaded, in epoch milliseconds; default: when the app was created. */
  contentSince?: () => number;
  /** Registers a listener that is called each time the content has changed: what was built from it is out of date. */
  onContentChange?: (listener: () => void) => void;
  site: Site;
  /** `path` is decoded and free of traversal, control characters and backslashes. */
  findPage: (path: string, query: URLSearchParams) => Found | Promise<Found>;
  findGeneratedFile?: (path: string, query: URLSearchParams) => GeneratedFile | undefined;
  /** Throws when the page crashes. */
  render: (page: FoundPage, site: Site, requestId: string) => Promise<Rendered>;
  /** 'This page crashed.' */
  renderCrash: (site: Site, requestId: string) => Promise<Rendered>;
  /** Built files for the browser. */
  clientDir: string;
  /** Folders of files served as they are; the first that has a file wins. */
  staticDirs: readonly string[];
  /** CSP hashes of the inline scripts in pages, e.g. `sha256-…`. */
  scriptHashes?: readonly string[];
  /** True once the process is stopping. */
  draining?: () => boolean;
  /** Smaller limits than `siteLimits`, for tests. */
  limits?: SiteLimits;
  /** Aborted with an HttpError shortly before a stopping process cuts off whatever has no answer yet. */
  lastCall?: AbortSignal;
  /** Vite's, in development: turns the page cache off and the development policy on. */
  devMiddleware?: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
}
