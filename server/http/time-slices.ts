interface SliceLimits {
  /** Milliseconds of work in one turn of the event loop. */
  sliceMs: number;
  /** Tasks that may wait for a later turn. */
  waiting: number;
  /** Milliseconds that a task waits at most for newcomers to stop arriving. */
  newcomersMs: number;
}

interface Waiting {
  task: () => void;
  since: number;
}

/**
 * Runs short tasks in slices: what does not fit into this turn of the event loop waits for the next, in order. Without
 * it, a turn lasts as long as all pending requests on open connections, and the loop accepts one connection per turn.
 * Turns with newcomers run no tasks, so the connections behind them need not wait for a slice each.
 */
export class TimeSlices {
  readonly #limits: SliceLimits;
  readonly #now: () => number;
  readonly #queue: Waiting[] = [];
  #endsAt = 0;
  #turnAhead = false;
  #newcomerCame = false;

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: SliceLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Makes this turn's tasks wait: a connection is new, and more may be behind it. */
  newcomer(): void {
    this.#newcomerCame = true;
  }

  /** Runs a task now or in a later turn; false when too many are waiting. A task must not throw. */
  run(task: () => void): boolean {
    if (!this.#turnAhead) this.#begin();
    const now = this.#now();
    const waiting = this.#queue.length;
    if (waiting === 0 && !this.#newcomerCame && now < this.#endsAt) task();
    else if (waiting < this.#limits.waiting) this.#queue.push({ task, since: now });
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
    const newcomerCame = this.#newcomerCame;
    this.#newcomerCame = false;
    const [first] = this.#queue;
    if (!first) return;
    this.#begin();
    if (newcomerCame && this.#now() < first.since + this.#limits.newcomersMs) return;
    do this.#queue.shift()?.task();
    while (this.#queue.length > 0 && this.#now() < this.#endsAt);
  }
}
