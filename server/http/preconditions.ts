import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/**
 * Whether the client's copy is still valid (RFC 9110 13.2.2).
 * @param tags the entity tags of the same bytes in the chosen coding: the current one and earlier ones
 * @param lastModified an HTTP date
 */
export function isNotModified(headers: IncomingHttpHeaders, tags: readonly string[], lastModified: string): boolean {
  return tags.some((etag) => fresh(headers, { etag, 'last-modified': lastModified }));
}
