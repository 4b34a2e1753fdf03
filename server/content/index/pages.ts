import { canonicalPath } from '../../http/canonical-path.ts';
import { addressOf, dateInPath, isBlogPage, isFolderPage } from '../address.ts';
import type { Fault } from '../fault.ts';
import type { StoredFacts } from '../page-schema.ts';
import type { SourceFile } from '../sources.ts';

/** A source that was compiled or found in the cache. */
export interface LoadedPage extends SourceFile {
  /** The cache key of facts and body. */
  key: string;
  facts: StoredFacts;
  /** The file's last change, for posts without a date. */
  changed: string;
  /** Files below the content folder that the page includes, or would include if they existed. */
  includes?: readonly string[];
  /** The compiler failed, not the page: it is compiled again after the start. */
  transient?: true;
}

/** A page as the index sees it: a file, its facts, and its assigned address. */
export interface IndexedPage extends LoadedPage {
  address: string;
  title: string;
  description: string;
  /** YYYY-MM-DD. */
  date?: string;
}

export interface IndexRules {
  production: boolean;
  /** YYYY-MM-DD. */
  today: string;
}

/** The pages that are served, each with its own address, ordered by file; and the pages that are held back. */
export function indexPages(
  loaded: Iterable<LoadedPage>,
  rules: IndexRules,
  faults: Fault[],
): { pages: IndexedPage[]; heldBack: LoadedPage[] } {
  const heldBack: LoadedPage[] = [];
  const served: LoadedPage[] = [];
  for (const page of loaded) (isServed(page, rules) ? served : heldBack).push(page);
  const taken: Taken = { pages: new Map(), counts: new Map() };
  const ranked = served.map((page) => {
    const wanted = addressOf(page.kind, page.file, page.facts.front.slug?.name);
    return { page, wanted, rank: rankOf(page, wanted) };
  });
  const pages = ranked
    // By file at equal ranks: the order in which pages were compiled or edited must not decide who gets an address.
    .toSorted((a, b) => a.rank - b.rank || (a.page.file < b.page.file ? -1 : 1))
    .map(({ page, wanted }) => {
      // The post list has one introduction; a README beside it is served as a post.
      if (page.kind !== 'page' || !isBlogPage(page.file) || !taken.pages.has('/blog'))
        return named(page, uniqueAddress(page, wanted, taken, faults));
      const post: LoadedPage = { ...page, kind: 'post' };
      return named(post, uniqueAddress(post, addressOf('post', page.file), taken, faults));
    });
  return { pages: pages.toSorted((a, b) => (a.file < b.file ? -1 : 1)), heldBack };
}

function isServed(page: LoadedPage, rules: IndexRules): boolean {
  const { draft, withheld } = page.facts.front;
  if ((draft || withheld) && rules.production) return false;
  return page.kind !== 'post' || (dateOf(page) ?? '') <= rules.today;
}

function dateOf(page: LoadedPage): string | undefined {
  return page.facts.front.date ?? (page.kind === 'post' ? dateInPath(page.file) : undefined);
}

/** A page that requests an address precedes one whose file merely implies it; a page that cannot have it comes last. */
function rankOf(page: LoadedPage, wanted: string): number {
  if (isReserved(page, wanted)) return 4;
  if (page.facts.front.slug !== undefined) return 0;
  if (!isFolderPage(page.file)) return 3;
  return /readme\.\w+$/i.test(page.file) ? 2 : 1;
}

interface Taken {
  /** By address. */
  pages: Map<string, LoadedPage>;
  /** The next number to try after an address that many pages want. */
  counts: Map<string, number>;
}

function uniqueAddress(page: LoadedPage, wanted: string, taken: Taken, faults: Fault[]): string {
  const holder = taken.pages.get(wanted);
  const isFree = holder === undefined && !isReserved(page, wanted);
  const address = isFree ? wanted : otherAddress(page, wanted, taken);
  if (!isFree) faults.push(duplicateAddress(page, wanted, holder, address));
  taken.pages.set(address, page);
  return address;
}

/** Reported at the slug that requests the address: the holder's slug, when the other page has none. */
function duplicateAddress(page: LoadedPage, wanted: string, holder: LoadedPage | undefined, address: string): Fault {
  const rule = 'duplicate-address';
  const { slug } = page.facts.front;
  const other = holder?.facts.front.slug;
  if (holder && other && !slug) {
    const message = `The address ${wanted} is also wanted by ${page.file}, which is served at ${address} instead.`;
    return { file: holder.file, line: other.line, column: other.column, rule, message };
  }
  const { line, column } = slug ?? { line: 1, column: 1 };
  const message = `The address ${wanted} is taken by ${holder?.file ?? 'the site itself'}; this page is served at ${address}.`;
  return { file: page.file, line, column, rule, message };
}

/** Where the site would redirect visitors of the wanted address, otherwise the wanted address with a number. */
function otherAddress(page: LoadedPage, wanted: string, { pages, counts }: Taken): string {
  const base = wanted.replace(/(?:\.html|\.md)+$/, '').replace(/^\/blog\/(?:tags|authors|archive)(?=\/)/, '$&-2');
  let address = canonicalPath(wanted) ?? base;
  let count = counts.get(base) ?? 2;
  for (; pages.has(address) || isReserved(page, address); count += 1) address = `${base}-${count}`;
  counts.set(base, count);
  return address;
}

/**
 * Addresses that the site redirects, answers with markdown, or reserves for its own pages: a page there would be
 * unreachable.
 */
function isReserved(page: LoadedPage, address: string): boolean {
  if (canonicalPath(address) !== undefined || address.endsWith('.md')) return true;
  if (page.kind === 'page' && isBlogPage(page.file)) return false;
  if (page.kind === 'page') return !page.builtIn && /^\/(?:docs|blog)?$/.test(address);
  return page.kind === 'post' && ownOfBlog.test(address);
}

const ownOfBlog = /^\/blog(?:$|\/(?:tags|authors|archive)(?:\/|$)|\/(?:rss\.xml|atom\.xml|feed\.json)$)/;

function named(page: LoadedPage, address: string): IndexedPage {
  const { front, heading, intro } = page.facts;
  const date = dateOf(page) ?? (page.kind === 'post' ? page.changed : undefined);
  const title = front.title?.trim() || heading || titleFromName(page.file);
  return { ...page, address, title, description: front.description || intro || title, ...(date && { date }) };
}

/** `docs/01-getting_started.md` is “Getting started”. */
export function titleFromName(file: string): string {
  const parts = file.replace(/\.[^./]+$/, '').split('/');
  const name = (isFolderPage(file) ? parts.at(-2) : parts.at(-1)) ?? '';
  const words = name
    .replace(/^\d{4}-\d{2}-\d{2}-|^\d+[-_. ]+/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words ? `${words[0]?.toUpperCase()}${words.slice(1)}` : name;
}
