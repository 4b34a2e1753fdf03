import type { Root } from 'hast';
import type { TocEntry } from '../../client/contract/reading.ts';

export type PageKind = 'doc' | 'post' | 'page';

/** A fault whose file is known to the reader of the facts, unless it names an included file. */
export interface PlacedFault {
  file?: string;
  line: number;
  column: number;
  rule: string;
  message: string;
}

/** A name written in the front matter, with its place. */
export interface NamedPlace {
  name: string;
  line: number;
  column: number;
}

/** An author as foreign trees write them: a key, or a whole person. */
export interface WrittenAuthor extends NamedPlace {
  label?: string;
  title?: string;
}

/** Checked front matter, converted to one shape. */
export interface Front {
  title?: string;
  description?: string;
  id?: NamedPlace;
  slug?: NamedPlace;
  sidebar: boolean;
  sidebarLabel?: string;
  position?: number;
  draft: boolean;
  /** It cannot be determined whether the page may be shown, so it is not. */
  withheld?: true;
  connection?: NamedPlace;
  /** YYYY-MM-DD. */
  date?: string;
  /** Release that adds what the page describes, or `later`. */
  planned?: NamedPlace;
  tags: NamedPlace[];
  authors: WrittenAuthor[];
  /** The page's older addresses. */
  aliases: string[];
}

/** A link or picture that points into the site, as written. */
export interface Reference {
  kind: 'link' | 'image';
  href: string;
  /** Where it is written, unless that is the page's file. */
  file?: string;
  line: number;
  column: number;
}

/** What a compiled page reports to the index; small, kept in the cache beside the body. */
export interface PageFacts {
  front: Front;
  /** Text of the heading that is the page's title and not in the tree. */
  heading?: string;
  /** The first words of the text. */
  intro: string;
  /** Ids that exist in the body. */
  ids: string[];
  /** Ids that stand for the top of the page. */
  topIds: string[];
  references: Reference[];
  /** For posts only. */
  excerpt?: Root;
  readingMinutes: number;
  faults: PlacedFault[];
}

export interface Body {
  tree: Root;
  toc: TocEntry[];
  text: string;
}

export interface CompiledPage {
  facts: PageFacts;
  body: Body;
  /** Why there is no text. */
  broken?: string[];
}

/** Front matter of a page that has none. */
export const emptyFront = (): Front => ({ sidebar: true, draft: false, tags: [], authors: [], aliases: [] });

/** A page without content, with the sentences that are shown in its place. */
export function brokenPage(broken: string[], front: Front = emptyFront()): CompiledPage {
  const facts = { front, intro: '', ids: [], topIds: [], references: [], readingMinutes: 1, faults: [] };
  return { facts, body: { tree: { type: 'root', children: [] }, toc: [], text: '' }, broken };
}
