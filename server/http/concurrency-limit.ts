import { HttpError } from './errors.ts';

interface ConcurrencyLimits {
  /** Tasks that run at the same time. */
  running: number;
  /** Tasks that may wait for a slot. */
  waiting: number;
  /** Milliseconds after which a waiting task is refused, not counting a standstill of the process; without it, no limit. */
  waitMs?: number;
}

/** A turn of the event loop that begins so late means that the process stood still. */
const stoodStillMs = 250;

/** Runs and queues a bounded number of tasks; refuses the rest at once, so accepted tasks stay fast. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  /** In order of arrival; a set, so tasks that stop waiting can be removed. */
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** @throws HttpError OVERLOADED when there is no slot, or none in time */
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
      let late: NodeJS.Timeout | undefined;
      if (waitMs !== undefined) {
        const dueAt = performance.now() + waitMs;
        late = setTimeout(() => {
          const lateMs = performance.now() - dueAt;
          // Most running tasks had none of that time. Once, since a task may itself be what takes long.
          if (lateMs > stoodStillMs) late = setTimeout(giveUp, lateMs);
          else giveUp();
        }, waitMs);
      }
      this.#queue.add(enter);
    });
  }

  /** A finishing task hands over its slot, so no other task can take it in between. */
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
