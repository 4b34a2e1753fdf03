import type { Author, PostCard, Tag } from '../../../client/contract/reading.ts';
import type { Content, PostEntry } from '../content.ts';
import { slugOf } from '../data/people.ts';
import type { Fault } from '../fault.ts';
import type { Front, NamedPlace, WrittenAuthor } from '../page-facts.ts';
import type { Links } from './links.ts';
import type { PageTable } from './page-table.ts';
import type { IndexedPage } from './pages.ts';
import { plannedOf } from './planned.ts';
import { resolveTree } from './resolved-tree.ts';

export interface PostIndex extends Pick<Content, 'tags' | 'authors' | 'years'> {
  entries: Map<string, PostEntry>;
}

export interface PostSources {
  links: Links;
  table: PageTable;
  authors: ReadonlyMap<string, Author>;
  tags: ReadonlyMap<string, Tag>;
}

/**
 * Lists posts, newest first, with their tags, authors and years; undeclared names are reported but listed all the same.
 */
export function indexPosts(posts: readonly IndexedPage[], sources: PostSources, faults: Fault[]): PostIndex {
  const sorted = posts.toSorted((a, b) => compare(b.date ?? '', a.date ?? '') || compare(a.file, b.file));
  // By the key that posts use, and by the key in addresses.
  const tags = new Map([...[...sources.tags.values()].map((tag) => [tag.id, tag] as const), ...sources.tags]);
  const authors = new Map([
    ...[...sources.authors.values()].map((one) => [one.name, one] as const),
    ...sources.authors,
  ]);
  const cards = sorted.map((page) => {
    const { front } = page.facts;
    for (const [named, fault] of declared(front, sources, { tags, authors })) {
      // When none is declared, using a name declares it.
      const known = fault.rule === 'unknown-tag' ? sources.tags : sources.authors;
      if (known.size > 0) faults.push(placed(page, named, fault));
    }
    for (const key of ['tags', 'authors'] as const)
      if (sources[key].size > 0 && front[key].length === 0 && !page.facts.broken) faults.push(missing(page, key));
    return card(page, sources.links, tags, authors);
  });
  const link = (index: number) => {
    const post = cards[index];
    return post && { label: post.title, href: post.path };
  };
  const entries = new Map<string, PostEntry>();
  for (const [index, page] of sorted.entries()) {
    const made = cards[index];
    const planned = plannedOf(page, sources.table.byFile, faults);
    const previous = link(index - 1);
    const next = link(index + 1);
    if (
      page.facts.front.date === undefined &&
      page.date === page.changed &&
      !page.facts.broken &&
      !page.facts.front.withheld
    )
      faults.push(noDate(page));
    if (made)
      entries.set(made.path, {
        ...made,
        file: page.file,
        ...(planned && { planned }),
        ...(previous && { previous }),
        ...(next && { next }),
        ...(page.facts.broken && { broken: page.facts.broken }),
      });
  }
  return { entries, ...groups(cards, tags, authors) };
}

function card(page: IndexedPage, links: Links, tags: Map<string, Tag>, authors: Map<string, Author>): PostCard {
  const { front, excerpt, readingMinutes } = page.facts;
  const found = <T>(names: NamedPlace[], map: Map<string, T>): T[] => [
    ...new Set(names.flatMap(({ name }) => map.get(name) ?? map.get(slugOf(name)) ?? [])),
  ];
  return Object.freeze({
    path: page.address,
    title: page.title,
    description: page.description,
    date: page.date ?? page.changed,
    tags: found(front.tags, tags),
    authors: found(front.authors, authors),
    readingMinutes,
    excerpt: resolveTree(excerpt ?? { type: 'root', children: [] }, page, links),
  });
}

type NewFault = Pick<Fault, 'rule' | 'message'>;

function placed(page: IndexedPage, { line, column }: NamedPlace, fault: NewFault): Fault {
  return { file: page.file, line, column, ...fault };
}

/** Declares a post's tags and authors that no file declares; returns what to report. */
function declared(
  front: Front,
  sources: PostSources,
  { tags, authors }: { tags: Map<string, Tag>; authors: Map<string, Author> },
): (readonly [NamedPlace, NewFault])[] {
  return [
    ...front.tags.filter(({ name }) => !sources.tags.has(name)).map((tag) => [tag, declareTag(tag, tags)] as const),
    ...front.authors
      .filter(({ name }) => !sources.authors.has(name))
      .flatMap((person) => {
        const fault = declareAuthor(person, authors);
        return fault ? [[person, fault] as const] : [];
      }),
  ];
}

function declareTag({ name }: NamedPlace, tags: Map<string, Tag>): NewFault {
  const id = slugOf(name);
  if (!tags.has(id)) tags.set(id, { id, label: name, description: '' });
  return { rule: 'unknown-tag', message: `The tag “${name}” is not in tags.yml.` };
}

/** A person who is written in full, as in Docusaurus, needs no declaration. */
function declareAuthor(person: WrittenAuthor, authors: Map<string, Author>): NewFault | undefined {
  const name = slugOf(person.name);
  if (!authors.has(name))
    authors.set(name, { name, label: person.label ?? person.name, title: person.title ?? '', description: '' });
  if (person.label === person.name) return undefined;
  return { rule: 'unknown-author', message: `The author “${person.name}” is not in authors.yml.` };
}

function missing({ file }: IndexedPage, key: 'tags' | 'authors'): Fault {
  return { file, line: 1, column: 1, rule: 'front-matter', message: `A post needs ${key} in its front matter.` };
}

function noDate(page: IndexedPage): Fault {
  const message = 'A post needs a date in its front matter; until then, the date of its last change is used.';
  return { file: page.file, line: 1, column: 1, rule: 'front-matter', message };
}

/** Names without a post have no page. */
function groups(cards: PostCard[], tags: Map<string, Tag>, authors: Map<string, Author>): Omit<PostIndex, 'entries'> {
  const years = Map.groupBy(cards, (post) => post.date.slice(0, 4));
  const byTag = grouped(cards, (post) => post.tags);
  const byAuthor = grouped(cards, (post) => post.authors);
  return {
    tags: [...new Set(tags.values())].map((tag) => ({ tag, posts: byTag.get(tag) ?? [] })).filter(hasPosts),
    authors: [...new Set(authors.values())]
      .map((author) => ({ author, posts: byAuthor.get(author) ?? [] }))
      .filter(hasPosts),
    years: [...years].map(([year, posts]) => ({ year, posts })),
  };
}

function grouped<T>(cards: readonly PostCard[], keysOf: (post: PostCard) => readonly T[]): Map<T, PostCard[]> {
  const groups = new Map<T, PostCard[]>();
  for (const post of cards)
    for (const key of keysOf(post)) {
      const group = groups.get(key) ?? [];
      group.push(post);
      groups.set(key, group);
    }
  return groups;
}

function hasPosts({ posts }: { posts: PostCard[] }): boolean {
  return posts.length > 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
