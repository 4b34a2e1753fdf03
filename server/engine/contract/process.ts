import { EngineError } from '../errors.ts';
import type { Position } from '../position.ts';
import type { Random } from './random.ts';
import type { Turns } from './turns.ts';

/** The most turns that a slow answer takes. */
const longAnswer = 60;

/** A process that can be killed between any two steps, and whose calls can fail on the way there or back. */
export class Process {
  readonly random: Random;
  readonly #turns: Turns;
  readonly #count: (kind: string) => void;
  /** How many of the calls to the target fail. */
  readonly #faults: number;
  readonly #onAcknowledged: (position: Position) => void;
  #isKilled = false;

  constructor(
    random: Random,
    turns: Turns,
    faults: number,
    count: (kind: string) => void,
    onAcknowledged: (position: Position) => void,
  ) {
    this.random = random;
    this.#turns = turns;
    this.#faults = faults;
    this.#count = count;
    this.#onAcknowledged = onAcknowledged;
  }

  kill(): void {
    this.#isKilled = true;
  }

  acknowledged(position: Position): void {
    if (!this.#isKilled) this.#onAcknowledged(position);
  }

  turn(): Promise<void> {
    return this.#turns.wait().then(() => this.#afterwards());
  }

  /** Now and then an answer takes long. */
  async dawdle(): Promise<void> {
    if (!this.random.chance(0.2)) return;
    for (let left = this.random.below(longAnswer); left > 0; left--) await this.turn();
  }

  /** A call that reads: it takes effect at one moment, and its answer takes a while. */
  async call<Answer>(effect: () => Answer): Promise<Answer> {
    await this.turn();
    const answer = effect();
    await this.turn();
    return answer;
  }

  /** A call that writes. What a killed process sent may still arrive. */
  async write<Answer>(effect: () => Answer): Promise<Answer> {
    await this.#turns.wait();
    if (this.#isKilled && this.random.chance(0.5)) return await never();
    if (!this.#isKilled && this.random.chance(this.#faults)) {
      this.#count('rejected');
      throw new EngineError('CONNECTION_LOST', { side: 'target' });
    }
    if (this.#isKilled) this.#count('commit of a killed process');
    const answer = effect();
    await this.turn();
    if (this.random.chance(this.#faults)) {
      this.#count('failed after write');
      throw new EngineError('CONNECTION_LOST', { side: 'target' });
    }
    return answer;
  }

  #afterwards(): Promise<void> | undefined {
    return this.#isKilled ? never() : undefined;
  }
}

/** What a killed process waits for. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
