import { availableParallelism } from 'node:os';

/**
 * How many processes start at a time: each keeps a core busy for half a second, and hundreds at once, after a server
 * start, left none for visitors and health checks.
 */
export const mostBeginning = Math.min(8, Math.max(2, availableParallelism()));

/** Jobs whose process is starting. */
export class BeginningJobs {
  readonly #patienceMs: number;
  readonly #onRoom: () => void;
  /** Timers by job: others stop waiting for it when its timer fires. */
  readonly #ends = new Map<number, NodeJS.Timeout>();

  /**
   * @param patienceMs for a process to report anything, which it does first; others do not wait longer for it
   * @param onRoom called when the next may begin
   */
  constructor(patienceMs: number, onRoom: () => void) {
    this.#patienceMs = patienceMs;
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#ends.size >= mostBeginning;
  }

  add(id: number): void {
    this.#ends.set(
      id,
      setTimeout(() => this.remove(id), this.#patienceMs),
    );
  }

  /** For a job that has begun, or ended before that; a second call changes nothing. */
  remove(id: number): void {
    clearTimeout(this.#ends.get(id));
    if (this.#ends.delete(id)) this.#onRoom();
  }
}
