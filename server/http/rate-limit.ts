import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;
/** Addresses that are counted at the same time; beyond that, the longest silent one starts over. */
const maxAddresses = 10_000;

interface Minute {
  since: number;
  count: number;
}

/** Counts requests by address; an address's minute begins with its first request. */
export class RateLimit {
  readonly #most: number;
  readonly #minutes = new LRUCache<string, Minute>({ max: maxAddresses });

  /** @param most 0: unlimited */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one request.
   * @param now milliseconds of a monotonic clock
   * @returns the seconds to wait when the limit is exceeded, otherwise 0
   */
  take(address: string, now: number): number {
    if (this.#most === 0) return 0;
    const minute = this.#minutes.get(address);
    if (!minute || now - minute.since >= minuteMs) {
      this.#minutes.set(address, { since: now, count: 1 });
      return 0;
    }
    minute.count += 1;
    return minute.count > this.#most ? Math.ceil((minute.since + minuteMs - now) / 1000) : 0;
  }
}
