import type { IncomingHttpHeaders } from 'node:http';

/** Whether the client's copy is still good (RFC 9110 §13). `tags` are the entity tags of the same bytes in the chosen coding. */
export function isNotModified(headers: IncomingHttpHeaders, tags: readonly string[], lastModified: number): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*') return true;
    return matches(noneMatch, tags);
  }
  const since = headers['if-modified-since'];
  if (since === undefined) return false;
  const time = Date.parse(since);
  return !Number.isNaN(time) && lastModified <= time;
}

/** If-None-Match compares weakly: `W/` is ignored on both sides. */
function matches(header: string, tags: readonly string[]): boolean {
  for (const [, tag] of header.matchAll(/(?:W\/)?("[^"]*")/g)) {
    if (tag !== undefined && tags.includes(tag)) return true;
  }
  return false;
}
