import type { SearchResult } from '../../../client/contract/search.ts';

const before = 60;
const length = 180;

/** Where the excerpt that begins at `start` ends: at a word's end, if there is one after the hit. */
function endOf(text: string, start: number, hit: number): number {
  const limit = start + length;
  if (limit >= text.length) return text.length;
  const end = text.lastIndexOf(' ', limit);
  return end > Math.max(hit, start) ? end : limit;
}

/**
 * Cuts the words around the first hit out of a text and marks every word that was found.
 * @param terms words as they appear in the text, lower case; at least one
 */
export function excerptOf(text: string, terms: readonly string[]): SearchResult['excerpt'] {
  const found = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${found.join('|')})`, 'giu');
  const hit = text.search(pattern);
  // At a word's start, if there is one before the hit.
  const start = hit <= before ? 0 : hit - before + text.slice(hit - before, hit).indexOf(' ') + 1;
  const end = endOf(text, start, hit);
  // A separator between two cells is meaningless when one of them is cut.
  const words = text.slice(start, end).replace(/^· | ·$/g, '');
  const part = `${start > 0 ? '… ' : ''}${words}${end < text.length ? ' …' : ''}`;
  const pieces: SearchResult['excerpt'] = [];
  let at = 0;
  for (const match of part.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: part.slice(at, match.index) });
    pieces.push({ text: match[0], mark: true });
    at = match.index + match[0].length;
  }
  if (at < part.length) pieces.push({ text: part.slice(at) });
  return pieces;
}
