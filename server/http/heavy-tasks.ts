import { ConcurrencyLimit } from './concurrency-limit.ts';
import { HttpError } from './errors.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

export interface HeavyTaskLimits {
  /** Tasks that run at the same time: JavaScript has one thread, so more than two would only share it. */
  running: number;
  waiting: number;
  /** Milliseconds after which a waiting task is refused. */
  waitMs: number;
  /** Milliseconds after which a task is abandoned and its slot given to the next. */
  taskMs: number;
}

/**
 * Runs tasks that keep the processor busy. Before each, the event loop gets a turn: otherwise tasks that never wait
 * would run back to back, the limit would never fill, and newcomers would starve.
 */
export class HeavyTasks {
  readonly #limit: ConcurrencyLimit;
  readonly #taskMs: number;

  constructor({ taskMs, ...limits }: HeavyTaskLimits) {
    this.#limit = new ConcurrencyLimit(limits);
    this.#taskMs = taskMs;
  }

  /**
   * @param client the only recipient of the result: if it has disconnected meanwhile, the task is skipped
   * @throws HttpError OVERLOADED when there is no slot, TIMED_OUT when the task takes too long
   */
  run<T>(task: () => Promise<T>, client?: { readonly destroyed: boolean }): Promise<T> {
    return this.#limit.run(async () => {
      await yieldToEventLoop();
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
