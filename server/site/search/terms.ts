const mostTerms = 8;

/** The words of a query, without duplicates and limited in number, so that every query is quick. */
export function termsOf(query: string): string[] {
  // As MiniSearch cuts texts into words.
  const words = query
    .slice(0, 200)
    .toLowerCase()
    .split(/[\n\r\p{Z}\p{P}]+/u);
  return [...new Set(words)].filter(Boolean).slice(0, mostTerms);
}

/**
 * Whether a word may be the start of a longer one. A letter or two starts half of all words, so only the last, which is
 * still being typed, may.
 */
export function mayBeStart(term: string, at: number, terms: readonly string[]): boolean {
  return term.length > 2 || at === terms.length - 1;
}
