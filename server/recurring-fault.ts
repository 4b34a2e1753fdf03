import type { Log } from './log.ts';

const everyMs = 60_000;

/** A fault that may come back at every turn, as while a store is away: told as it begins, once a minute, and when it is over. */
export class RecurringFault {
  readonly #log: Log;
  readonly #sentences: { lasts: string; over: string };
  #times = 0;
  #toldAt = 0;

  constructor(log: Log, sentences: { lasts: string; over: string }) {
    this.#log = log;
    this.#sentences = sentences;
  }

  /** Notes a turn that failed. @param about what the line in the log names beside the error */
  failed(error: unknown, about: object = {}): void {
    this.#times += 1;
    const now = performance.now();
    if (this.#times > 1 && now - this.#toldAt < everyMs) return;
    this.#toldAt = now;
    this.#log.error({ err: error, ...about, times: this.#times }, this.#sentences.lasts);
  }

  /** Notes a turn that went well. */
  succeeded(): void {
    if (this.#times > 0) this.#log.info({ times: this.#times }, this.#sentences.over);
    this.#times = 0;
  }
}
