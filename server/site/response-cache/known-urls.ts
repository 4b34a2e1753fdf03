import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isSoft } from '../soft-navigation.ts';
import type { CachedResponse } from './cached-response.ts';
import type { ResponseCache } from './response-cache.ts';

/** Anyone can invent endless queries. */
const maxUrls = 8192;
const maxLength = 256;

/** Answers previously answered addresses without Express: from the exact address to the stored response. */
export class KnownUrls {
  readonly #cache: ResponseCache;
  readonly #keys = new LRUCache<string, string>({ max: maxUrls });

  constructor(cache: ResponseCache) {
    this.#cache = cache;
  }

  /** Records that a request's address, as sent, maps to a key's response. */
  remember(req: IncomingMessage, key: string): void {
    const address = addressOf(req);
    if (address.length <= maxLength) this.#keys.set(address, key);
  }

  /** The stored response for a request, if the request may get one. */
  find(req: IncomingMessage): CachedResponse | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const key = this.#keys.get(addressOf(req));
    return key === undefined ? undefined : this.#cache.get(key);
  }
}

/** A page's two variants share one address; no address contains the blank. */
function addressOf(req: IncomingMessage): string {
  const url = req.url ?? '';
  return isSoft(req) ? `soft ${url}` : url;
}
