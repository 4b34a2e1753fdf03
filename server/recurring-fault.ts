import type { Log } from './log.ts';

const everyMs = 60_000;

/** A fault that may recur on every turn, such as a store that is down: logged at its start, once a minute, and at its end. */
export class RecurringFault {
  readonly #log: Log;
  readonly #sentences: { lasts: string; over: string };
  #times = 0;
  #toldAt = 0;

  constructor(log: Log, sentences: { lasts: string; over: string }) {
    this.#log = log;
    this.#sentences = sentences;
  }

  /** Records a failed turn. @param about fields of the log line besides the error */
  failed(error: unknown, about: object = {}): void {
    this.#times += 1;
    const now = performance.now();
    if (this.#times > 1 && now - this.#toldAt < everyMs) return;
    this.#toldAt = now;
    this.#log.error({ err: error, ...about, times: this.#times }, this.#sentences.lasts);
  }

  /** Records a successful turn. */
  succeeded(): void {
    if (this.#times > 0) this.#log.info({ times: this.#times }, this.#sentences.over);
    this.#times = 0;
  }
}
