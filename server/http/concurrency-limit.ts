import { HttpError } from './errors.ts';

interface ConcurrencyLimits {
  running: number;
  waiting: number;
}

/** Lets a bounded number of tasks run and wait; refuses the rest at once, so that those accepted stay quick. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.running) {
      if (this.#queue.length >= this.#limits.waiting) throw new HttpError('OVERLOADED');
      // The place is handed over by whoever leaves, so that nobody slips in between.
      await new Promise<void>((enter) => this.#queue.push(enter));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
