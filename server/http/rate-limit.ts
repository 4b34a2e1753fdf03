const minuteMs = 60_000;
const maxAddresses = 10_000;

/** Counts requests by address, minute by minute. */
export class RateLimit {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one request; answers the seconds to wait when it is one too many, otherwise 0. */
  take(address: string, now: number = performance.now()): number {
    // Addresses can be many; starting over lets a few more through.
    if (now - this.#since >= minuteMs || this.#counts.size >= maxAddresses) {
      this.#counts.clear();
      this.#since = now;
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    if (count > this.#most) return Math.ceil((this.#since + minuteMs - now) / 1000);
    this.#counts.set(address, count);
    return 0;
  }
}
