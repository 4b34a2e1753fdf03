import { LRUCache } from 'lru-cache';
import type { CachedResponse } from './cached-response.ts';

type Make = () => Promise<CachedResponse>;

/** Stored responses by key, bounded by bytes, the least recently used given up first. */
export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse, Make>;
  #version = 0;

  constructor(maxBytes: number) {
    const maxEntrySize = Math.floor(maxBytes / 8);
    this.#responses = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize,
      sizeCalculation: (response) => response.weight,
      // Those who wait for a response have it, also when it was given up meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context: make }) => {
        const response = await make();
        if (response.weight <= maxEntrySize) response.markKept();
        return response;
      },
    });
  }

  /** What the stored responses may take in memory. */
  get bytes(): number {
    return this.#responses.calculatedSize;
  }

  /** Changes each time everything is forgotten. */
  get version(): number {
    return this.#version;
  }

  /** Forgets everything; what is being made is still given to those who wait, and not kept. */
  clear(): void {
    this.#version += 1;
    this.#responses.clear();
  }

  get(key: string): CachedResponse | undefined {
    return this.#responses.get(key);
  }

  /**
   * The response of a key, made at most once however many ask for it at the same time; failures are not kept.
   * @param version when `make` was decided on: what belongs to an earlier one is made and not kept
   */
  load(key: string, make: Make, version = this.#version): Promise<CachedResponse> {
    if (version !== this.#version) return make();
    return this.#responses.forceFetch(key, { context: make });
  }
}
