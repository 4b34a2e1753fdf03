import { isRecord } from '../browser/json.ts';
import type { SearchResult } from '../contract/search.ts';

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

/** Asks the server's index. @throws when it does not answer, or `signal` is aborted */
export async function findPages(words: string, signal: AbortSignal): Promise<SearchResult[]> {
  const response = await fetch(`/search.json?q=${encodeURIComponent(words)}`, { signal });
  if (!response.ok) throw new Error(`/search.json answered ${response.status}`);
  const answer: unknown = await response.json();
  return isRecord(answer) && Array.isArray(answer.results) ? answer.results.filter(isResult) : [];
}
