import { HttpError } from './errors.ts';

interface ConcurrencyLimits {
  /** Tasks that run at a time. */
  running: number;
  /** Tasks that may wait for a place. */
  waiting: number;
  /** Milliseconds after which a waiting task is refused; without it, none is. */
  waitMs?: number;
}

/** Lets a bounded number of tasks run and wait; refuses the rest at once, so that those accepted stay quick. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  /** In the order they came; a set, so that whoever gives up waiting leaves it. */
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** @throws HttpError OVERLOADED when there is no place, or none in time */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.running) await this.#place();
    else this.#running += 1;
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  #place(): Promise<void> {
    const { waiting, waitMs } = this.#limits;
    if (this.#queue.size >= waiting) throw new HttpError('OVERLOADED');
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(late);
        resolve();
      };
      const giveUp = () => {
        this.#queue.delete(enter);
        reject(new HttpError('OVERLOADED'));
      };
      const late = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      this.#queue.add(enter);
    });
  }

  /** The place is handed over by whoever leaves, so that nobody slips in between. */
  #leave(): void {
    const [next] = this.#queue;
    if (!next) {
      this.#running -= 1;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}
