const mostTerms = 8;

/** The words a search looks for: none twice, and so few that no query takes more than a moment. */
export function termsOf(query: string): string[] {
  // As MiniSearch cuts texts into words.
  const words = query
    .slice(0, 200)
    .toLowerCase()
    .split(/[\n\r\p{Z}\p{P}]+/u);
  return [...new Set(words)].filter(Boolean).slice(0, mostTerms);
}

/** Whether a word may be the start of a longer one. A letter or two starts half of all words, so only the last, which is still being typed, may. */
export function mayBeStart(term: string, at: number, terms: readonly string[]): boolean {
  return term.length > 2 || at === terms.length - 1;
}
