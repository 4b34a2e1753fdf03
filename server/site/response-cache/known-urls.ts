import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
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

  /** Notes that an address, as it was sent, leads to the response of a key. */
  remember(url: string, key: string): void {
    if (url.length <= maxLength) this.#keys.set(url, key);
  }

  /** The stored response of a request, if it is one that may have it. */
  find(req: IncomingMessage): CachedResponse | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const key = this.#keys.get(req.url ?? '');
    return key === undefined ? undefined : this.#cache.get(key);
  }
}
