import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isSoft } from '../soft-navigation.ts';
import type { CachedResponse } from './cached-response.ts';
import type { ResponseCache } from './response-cache.ts';

/** Queries can be made up without end. */
const maxUrls = 8192;
const maxLength = 256;

/** Answers addresses that were answered before, without Express: from the exact address to the stored response. */
export class KnownUrls {
  readonly #cache: ResponseCache;
  readonly #keys = new LRUCache<string, string>({ max: maxUrls });

  constructor(cache: ResponseCache) {
    this.#cache = cache;
  }

  /** Notes that a request's address, as it was sent, leads to the response of a key. */
  remember(req: IncomingMessage, key: string): void {
    const address = addressOf(req);
    if (address.length <= maxLength) this.#keys.set(address, key);
  }

  /** The stored response of a request, if it is one that may have it. */
  find(req: IncomingMessage): CachedResponse | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const key = this.#keys.get(addressOf(req));
    return key === undefined ? undefined : this.#cache.get(key);
  }
}

/** The two variants of a page have one address; the blank is part of none. */
function addressOf(req: IncomingMessage): string {
  const url = req.url ?? '';
  return isSoft(req) ? `soft ${url}` : url;
}
