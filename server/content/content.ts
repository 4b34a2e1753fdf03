import type {
  Author,
  Compiled,
  Doc,
  Link,
  MarkdownPage,
  Post,
  PostCard,
  SidebarNode,
  Tag,
} from '../../client/contract/reading.ts';
import type { Fault } from './fault.ts';

/** A document or post without its body; the body stays in the cache until the page is rendered. */
export type DocEntry = Omit<Doc, keyof Compiled> & Pick<Compiled, 'readingMinutes'>;
export type PostEntry = Omit<Post, keyof Compiled> & Pick<Compiled, 'readingMinutes'>;

/** Everything compiled from `docs/`, `blog/` and `pages/`, frozen; a reload makes a new one. */
export interface Content {
  /** Hash over all sources, settings and the pipeline's version. */
  version: string;
  /** By address. */
  docs: ReadonlyMap<string, DocEntry>;
  /** By address, newest first. */
  posts: ReadonlyMap<string, PostEntry>;
  /** By address without its slash: files of `pages/`, and `blog` for the introduction of the list of posts. */
  markdownPages: ReadonlyMap<string, Omit<MarkdownPage, keyof Compiled> & { broken?: string[] }>;
  sidebar: SidebarNode[];
  tags: readonly { tag: Tag; posts: PostCard[] }[];
  authors: readonly { author: Author; posts: PostCard[] }[];
  /** Newest year first. */
  years: readonly { year: string; posts: PostCard[] }[];
  /** Documents in reading order (the sidebar's), for lists such as the sitemap. */
  order: readonly Link[];
  /** Addresses that pages have, or once had, in the tool they were written for: older address → address. */
  moved: ReadonlyMap<string, string>;
  /** Pictures and other files beside the markdown: address → absolute path. */
  files: ReadonlyMap<string, string>;
  /**
   * Body of a document, post or markdown page by its address (`/markdown-page` for pages/markdown-page.md).
   * @throws LostBodyError when the cache has lost it since the start; the loader's `whole` mends that
   */
  body(path: string): Compiled;
  /** Markdown source of a document or post, brand filled in, front matter left out. */
  source(path: string, origin: string): Promise<string>;
  faults: readonly Fault[];
  /** `leftOut` counts files and folders that are there and not read, such as links out of the content folder. */
  stats: { pages: number; compiled: number; cached: number; leftOut: number; ms: number };
}
