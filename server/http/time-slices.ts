interface SliceLimits {
  /** Milliseconds of work in one turn of the event loop. */
  sliceMs: number;
  /** Tasks that may wait for a later turn. */
  waiting: number;
}

/**
 * Runs short tasks in slices: what does not fit into this turn of the event loop waits for the next, in order. Without
 * it, a turn lasts as long as all requests that lie on open connections take, and the loop accepts one connection a turn.
 */
export class TimeSlices {
  readonly #limits: SliceLimits;
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #endsAt = 0;
  #turnAhead = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(limits: SliceLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Runs a task now or in a later turn; false when too many wait. A task must not throw. */
  run(task: () => void): boolean {
    if (!this.#turnAhead) this.#begin();
    const waiting = this.#queue.length;
    if (waiting === 0 && this.#now() < this.#endsAt) task();
    else if (waiting < this.#limits.waiting) this.#queue.push(task);
    else return false;
    return true;
  }

  #begin(): void {
    this.#endsAt = this.#now() + this.#limits.sliceMs;
    this.#turnAhead = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#turnAhead = false;
    if (this.#queue.length === 0) return;
    this.#begin();
    do this.#queue.shift()?.();
    while (this.#queue.length > 0 && this.#now() < this.#endsAt);
  }
}
