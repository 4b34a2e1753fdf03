import type { Log } from '../log.ts';

const everyMs = 60_000;

/** A warning that is written once a minute at most, with how often it was due: for what strangers can cause without end. */
export class CountedWarning {
  readonly #log: Log;
  readonly #message: string;
  #count = 0;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  count(): void {
    this.#count += 1;
    if (this.#count > 1) return;
    setTimeout(() => {
      this.#log.warn({ count: this.#count }, this.#message);
      this.#count = 0;
    }, everyMs).unref();
  }
}
