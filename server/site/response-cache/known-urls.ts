import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CachedResponse } from './cached-response.ts';
import type { ResponseCache } from './response-cache.ts';
import { type Sent, sendCached } from './send-cached.ts';

const maxAddresses = 8192;
const maxLength = 256;

/** Answers addresses that were answered before, without Express: from the exact address to the stored answer. */
export class KnownUrls {
  readonly #cache: ResponseCache;
  readonly #keys = new Map<string, string>();

  constructor(cache: ResponseCache) {
    this.#cache = cache;
  }

  /** Notes that an address, as it was sent, leads to the answer of a key. */
  remember(url: string, key: string): void {
    if (url.length > maxLength) return;
    // Queries can be made up without end; starting over costs one slower answer an address.
    if (this.#keys.size >= maxAddresses) this.#keys.clear();
    this.#keys.set(url, key);
  }

  /** The stored answer of a request, if it is one that may have it. */
  find(req: IncomingMessage): CachedResponse | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const key = this.#keys.get(req.url ?? '');
    return key === undefined ? undefined : this.#cache.get(key);
  }

  /** Sends a stored answer; `sent` is told the bytes of the body for the log. */
  send(req: IncomingMessage, res: ServerResponse, answer: CachedResponse, id: string, sent: Sent): void {
    const pending = sendCached(req, res, answer, id, sent);
    // Compressing failed: the connection is of no more use.
    pending?.catch(() => res.destroy());
  }
}
