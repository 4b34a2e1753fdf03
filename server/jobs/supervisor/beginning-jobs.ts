import { availableParallelism } from 'node:os';

/**
 * Processes that begin at a time: each keeps a core busy for half a second, and hundreds at once, after a start of the
 * server, left none for visitors and health checks.
 */
export const mostBeginning = Math.min(8, Math.max(2, availableParallelism()));

/** Jobs whose process is on its way. */
export class BeginningJobs {
  readonly #patienceMs: number;
  readonly #onRoom: () => void;
  /** The end of others' patience, by job. */
  readonly #ends = new Map<number, NodeJS.Timeout>();

  /**
   * @param patienceMs for a process to tell anything, which is the first thing it does; others wait no longer for it
   * @param onRoom the next may begin
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

  /** For a job that has begun, or has ended before; twice changes nothing. */
  remove(id: number): void {
    clearTimeout(this.#ends.get(id));
    if (this.#ends.delete(id)) this.#onRoom();
  }
}
