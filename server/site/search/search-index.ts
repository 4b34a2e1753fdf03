import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import MiniSearch, { type Query } from 'minisearch';
import { mostResults, type SearchResult } from '../../../client/contract/search.ts';
import type { Content } from '../../content/content.ts';
import { excerptOf } from './excerpt.ts';
import { type Section, sectionsOf } from './sections.ts';
import { swapped } from './swapped.ts';
import { mayBeStart, termsOf } from './terms.ts';

interface Entry {
  id: number;
  title: string;
  heading: string;
  text: string;
  tags: string;
}

interface Place {
  title: string;
  href: string;
  heading?: string;
  section: string;
  text: string;
}

/** Characters kept per section for excerpts; the index still has every word. */
const keptText = 2000;
const keptAnswers = 200;

/** Full-text search over titles, headings, text and tags, with headings as targets. */
export class SearchIndex {
  readonly #index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'tags', 'text'],
    searchOptions: {
      boost: { title: 4, heading: 3, tags: 2 },
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  readonly #places: Place[] = [];
  /** The results of the last queries by their words. */
  readonly #answers = new LRUCache<string, SearchResult[]>({ max: keptAnswers });

  /**
   * Indexes every document and post, one page at a time, so requests are answered in between.
   * @param stopped ends the work early, e.g. when newer content exists
   */
  static async build(content: Content, stopped: () => boolean = () => false): Promise<SearchIndex> {
    const index = new SearchIndex();
    for (const doc of content.docs.values()) {
      if (stopped()) break;
      index.#add(content, doc.path, doc.title, doc.breadcrumbs[0]?.label ?? 'Documents', '');
      await nextTurn();
    }
    for (const post of content.posts.values()) {
      if (stopped()) break;
      index.#add(content, post.path, post.title, 'Blog', post.tags.map((tag) => `${tag.id} ${tag.label}`).join(' '));
      await nextTurn();
    }
    return index;
  }

  #add(content: Content, path: string, title: string, section: string, tags: string): void {
    const sections = sectionsOf(content.body(path).tree);
    // A page without text is found by its title.
    const entries: Section[] = sections.length > 0 ? sections : [{ text: '' }];
    this.#index.addAll(
      entries.map((part, at) => {
        this.#places.push({
          title,
          section,
          href: part.id ? `${path}#${part.id}` : path,
          text: part.text.slice(0, keptText),
          ...(part.heading ? { heading: part.heading } : {}),
        });
        // The title counts once per page; otherwise every section would rank like the page.
        return {
          id: this.#places.length - 1,
          title: at === 0 ? title : '',
          heading: part.heading ?? '',
          text: `${at === 0 ? '' : `${title} `}${part.text}`,
          tags,
        };
      }),
    );
  }

  /** The best hits for a visitor's query; at most three sections per page. */
  search(query: string): SearchResult[] {
    const words = termsOf(query);
    const key = words.join(' ');
    const known = this.#answers.get(key);
    if (known) return known;
    const results = this.#find(words);
    this.#answers.set(key, results);
    return results;
  }

  /** Whether any text contains the word, or one that starts with it. */
  #knows(word: string): boolean {
    return this.#index.search(word, { prefix: true, fuzzy: false }).length > 0;
  }

  /**
   * A word that nothing starts with is read with two letters swapped, if that is known: fuzzy search counts a swap as
   * two mistakes.
   */
  #wordQuery(word: string, prefix: boolean): Query {
    const spellings = word.length < 4 || this.#knows(word) ? [] : swapped(word).filter((other) => this.#knows(other));
    if (spellings.length === 0) return { queries: [word], prefix };
    return { combineWith: 'OR', queries: spellings, prefix, fuzzy: false };
  }

  #find(words: readonly string[]): SearchResult[] {
    const queries = words.map((word, at) => this.#wordQuery(word, mayBeStart(word, at, words)));
    const perPage = new Map<string, number>();
    const results: SearchResult[] = [];
    let hits = this.#index.search({ combineWith: 'AND', queries });
    // A question, or a pasted message with names and numbers of its own, rarely has all of its words in one text.
    if (hits.length === 0)
      hits = this.#index
        .search({ combineWith: 'OR', queries })
        .filter(({ queryTerms }) => queryTerms.length > words.length / 2);
    for (const hit of hits) {
      const place = this.#places[hit.id];
      if (!place) continue;
      const page = place.href.replace(/#.*/, '');
      const count = (perPage.get(page) ?? 0) + 1;
      perPage.set(page, count);
      if (count > 3) continue;
      const { text, ...shown } = place;
      results.push({ ...shown, excerpt: excerptOf(text, hit.terms) });
      if (results.length === mostResults) break;
    }
    return results;
  }
}
