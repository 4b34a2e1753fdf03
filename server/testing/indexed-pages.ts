import type { LoadedPage } from '../content/index/pages.ts';
import { brokenPage, emptyFront, type Front, type NamedPlace, type PageFacts } from '../content/page-facts.ts';
import { kindOf } from '../content/sources.ts';

/** Pages with invented facts, for tests of the index. */

/** A name in the front matter, with its place. */
export const named = (name: string): NamedPlace => ({ name, line: 3, column: 7 });

/** A compiled page. */
export function loadedPage(file: string, front: Partial<Front> = {}, facts: Partial<PageFacts> = {}): LoadedPage {
  const kind = kindOf(file);
  if (kind === undefined || kind === 'setting') throw new Error(`${file} is not a page.`);
  const empty = brokenPage([]).facts;
  return {
    file,
    kind,
    path: `/nowhere/${file}`,
    builtIn: false,
    key: file,
    changed: '2024-01-01',
    facts: { ...empty, ...facts, front: { ...emptyFront(), ...front } },
  };
}

/** A post with a date. */
export function loadedPost(
  file: string,
  date: string,
  tags: string[],
  authors: string[],
  front: Partial<Front> = {},
): LoadedPage {
  return loadedPage(file, { date, tags: tags.map(named), authors: authors.map(named), ...front });
}
