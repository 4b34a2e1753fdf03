import { parseJson } from '../browser/json.ts';
import { local } from '../browser/storage.ts';

const name = 'recent-searches';
const atMost = 5;

/** The last searches, newest first. */
export function readRecent(): string[] {
  const kept = parseJson(local.get(name));
  return Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string').slice(0, atMost) : [];
}

/** Stores a search whose result was opened. */
export function rememberSearch(words: string): void {
  const text = words.trim();
  if (!text) return;
  local.set(name, JSON.stringify([text, ...readRecent().filter((entry) => entry !== text)].slice(0, atMost)));
}
