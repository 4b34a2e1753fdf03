import type { Log } from '../log.ts';

const everyMs = 60_000;

/** A warning logged at most once a minute, with how often it occurred: for what strangers can cause endlessly. */
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
