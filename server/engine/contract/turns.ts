import type { Random } from './random.ts';

/** Decides which waiting step continues next, so every order of events can happen and can be repeated. */
export class Turns {
  readonly #random: Random;
  #waiting: (() => void)[] = [];
  taken = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Resolves when it is this step's turn. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  /** Lets one of the waiting steps continue, with everything that follows from it until all wait again. */
  async next(): Promise<void> {
    this.taken++;
    const index = this.#random.below(this.#waiting.length);
    const [resolve] = this.#waiting.splice(index, 1);
    resolve?.();
    await new Promise((settled) => setImmediate(settled));
  }

  /** A killed process takes no further step. */
  forgetAll(): (() => void)[] {
    const forgotten = this.#waiting;
    this.#waiting = [];
    return forgotten;
  }
}
