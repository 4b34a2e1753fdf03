import { isRecord, parseJson } from '../browser/json.ts';
import type { SearchResult } from '../contract/search.ts';

const waitAtMost = 10_000;

/** A query that the server refused; its sentence is meant for the visitor. */
export class SearchRefused extends Error {}

function isResult(value: unknown): value is SearchResult {
  return (
    isRecord(value) &&
    typeof value.title === 'string' &&
    typeof value.href === 'string' &&
    typeof value.section === 'string' &&
    Array.isArray(value.excerpt) &&
    value.excerpt.every((piece) => isRecord(piece) && typeof piece.text === 'string')
  );
}

/**
 * Queries the server's index, for at most 10 seconds.
 * @throws SearchRefused, and what fetch throws: also when `signal` aborts the query
 */
export async function findPages(words: string, signal: AbortSignal): Promise<SearchResult[]> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), waitAtMost);
  try {
    const address = `/search.json?q=${encodeURIComponent(words)}`;
    const response = await fetch(address, { signal: AbortSignal.any([signal, late.signal]) });
    const answer = parseJson(await response.text());
    if (!response.ok) throw new SearchRefused(isRecord(answer) && typeof answer.msg === 'string' ? answer.msg : '');
    return isRecord(answer) && Array.isArray(answer.results) ? answer.results.filter(isResult) : [];
  } finally {
    clearTimeout(timer);
  }
}
