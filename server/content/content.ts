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

/** Everything compiled from `docs/`, `blog/` and `pages/`, frozen; a reload creates a new one. */
export interface Content {
  /** Hash of all sources, settings and the pipeline's version. */
  version: string;
  /** By address. */
  docs: ReadonlyMap<string, DocEntry>;
  /** By address, newest first. */
  posts: ReadonlyMap<string, PostEntry>;
  /** By address without its slash: files in `pages/`, and `blog` for the introduction of the post list. */
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
   * The body of a document, post or markdown page by its address (`/markdown-page` for pages/markdown-page.md).
   * @throws LostBodyError when the cache has lost it since the start; the loader's `whole` recovers from that
   */
  body(path: string): Compiled;
  /** The markdown source of a document or post, with the brand filled in and without front matter. */
  source(path: string, origin: string): Promise<string>;
  faults: readonly Fault[];
  /** `leftOut` counts existing files and folders that are not read, such as links out of the content folder. */
  stats: { pages: number; compiled: number; cached: number; leftOut: number; ms: number };
}
