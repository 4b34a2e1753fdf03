const mostTerms = 8;

/** A query's words, without duplicates and limited in number, so every query is fast. */
export function termsOf(query: string): string[] {
  // Splits texts into words as MiniSearch does.
  const words = query
    .slice(0, 200)
    .toLowerCase()
    .split(/[\n\r\p{Z}\p{P}]+/u);
  return [...new Set(words)].filter(Boolean).slice(0, mostTerms);
}

/**
 * Whether a word may be the start of a longer one. One or two letters start half of all words, so only the last word,
 * which is still being typed, may.
 */
export function mayBeStart(term: string, at: number, terms: readonly string[]): boolean {
  return term.length > 2 || at === terms.length - 1;
}
