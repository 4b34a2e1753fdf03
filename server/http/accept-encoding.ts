import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Coding = 'br' | 'gzip' | 'identity';

const offered: readonly Coding[] = ['br', 'gzip', 'identity'];
const answered = new LRUCache<string, Coding>({ max: 200 });
const longestKept = 200;

/** The best coding that a client accepts; browsers send few distinct headers, so results are cached. */
export function chooseCoding(header: string | undefined): Coding {
  if (header === undefined || header === '') return 'identity';
  const before = answered.get(header);
  if (before) return before;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  // A client that refuses every coding still gets the plain bytes (RFC 9110 12.5.3 leaves that to us).
  const coding = negotiator.encoding(offered, { preferred: offered }) ?? 'identity';
  if (header.length <= longestKept) answered.set(header, coding);
  return coding;
}
