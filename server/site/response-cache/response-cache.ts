import { LRUCache } from 'lru-cache';
import type { CachedResponse } from './cached-response.ts';

type Make = () => Promise<CachedResponse>;

/** Stored responses by key, bounded by bytes; the least recently used are evicted first. */
export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse, Make>;
  #version = 0;

  constructor(maxBytes: number) {
    const maxEntrySize = Math.floor(maxBytes / 8);
    this.#responses = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize,
      sizeCalculation: (response) => response.weight,
      // Requests that wait for a response get it, even if it was evicted meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context: make }) => {
        const response = await make();
        if (response.weight <= maxEntrySize) response.markKept();
        return response;
      },
    });
  }

  /** The memory that the stored responses may take. */
  get bytes(): number {
    return this.#responses.calculatedSize;
  }

  /** Changes each time everything is dropped. */
  get version(): number {
    return this.#version;
  }

  /** Drops everything; a response in progress still goes to those waiting for it, but is not cached. */
  clear(): void {
    this.#version += 1;
    this.#responses.clear();
  }

  get(key: string): CachedResponse | undefined {
    return this.#responses.get(key);
  }

  /**
   * The response for a key, created at most once however many ask for it at the same time; failures are not cached.
   * @param version when `make` was chosen: the result of an earlier version is created but not cached
   */
  load(key: string, make: Make, version = this.#version): Promise<CachedResponse> {
    if (version !== this.#version) return make();
    return this.#responses.forceFetch(key, { context: make });
  }
}
