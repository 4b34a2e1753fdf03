import { ConcurrencyLimit } from './concurrency-limit.ts';
import { HttpError } from './errors.ts';
import { giveWay } from './give-way.ts';

export interface HeavyTaskLimits {
  /** Tasks that run at a time: JavaScript has one thread, so more than two would only share it. */
  running: number;
  waiting: number;
  /** Milliseconds after which a waiting task is refused. */
  waitMs: number;
  /** Milliseconds after which a task is given up and its place given to the next. */
  taskMs: number;
}

/**
 * Runs tasks that keep the processor busy. Before each, the event loop comes round: else tasks that end without waiting
 * for anything would run one after the other, the limit would never fill, and newcomers would starve.
 */
export class HeavyTasks {
  readonly #limit: ConcurrencyLimit;
  readonly #taskMs: number;

  constructor({ taskMs, ...limits }: HeavyTaskLimits) {
    this.#limit = new ConcurrencyLimit(limits);
    this.#taskMs = taskMs;
  }

  /**
   * @param client whom alone the result is for: when he has gone meanwhile, the task is left out
   * @throws HttpError OVERLOADED when there is no place, TIMED_OUT when the task takes too long
   */
  run<T>(task: () => Promise<T>, client?: { readonly destroyed: boolean }): Promise<T> {
    return this.#limit.run(async () => {
      await giveWay();
      if (client?.destroyed) throw new HttpError('BAD_REQUEST');
      return this.#inTime(task());
    });
  }

  async #inTime<T>(result: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new HttpError('TIMED_OUT')), this.#taskMs);
    try {
      return await Promise.race([result, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
