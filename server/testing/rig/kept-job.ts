import { join } from 'node:path';
import { JobProcess } from '../job-process.ts';
import type { Pair } from './pair.ts';
import { count, type Runner } from './runner.ts';
import { writeLarge } from './users.ts';

/** Ends since the last strike: a job may commit its epoch at each start and get no further. */
const mostEnds = 20;

/** The job process, restarted whenever it ends with a fault that the supervisor would retry. */
export class KeptJob implements Runner {
  readonly largeTransaction = writeLarge;
  readonly ends = new Map<string, number>();
  readonly #pair: Pair;
  readonly #start: () => JobProcess;
  #process: JobProcess | undefined;
  #kept: Promise<void> | undefined;
  #mayStart = Promise.resolve();
  #goOn: () => void = () => undefined;
  #isKilled = false;
  #endsSinceStrike = 0;
  #closed = false;

  constructor(pair: Pair) {
    this.#pair = pair;
    const { spec } = pair;
    const script = join(import.meta.dirname, 'small-slices-process.ts');
    this.#start = () => new JobProcess(spec, { script });
  }

  async start(): Promise<void> {
    this.#kept = this.#keep().catch((error) => this.#pair.giveUp(error));
  }

  struck(): void {
    this.#endsSinceStrike = 0;
  }

  async killJob(): Promise<void> {
    this.#isKilled = true;
    await this.#process?.kill();
  }

  killService(): Promise<void> {
    throw new Error('No web process runs this job.');
  }

  holdBack(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#mayStart = promise;
    this.#goOn = resolve;
  }

  goOn(): void {
    this.#goOn();
  }

  async resync(id: string): Promise<void> {
    this.#process?.send({ kind: 'table', id, action: 'resync' });
  }

  async said(): Promise<string> {
    const { reports = [], said = '' } = this.#process ?? {};
    const ends = [...this.ends].map(([why, times]) => `${times} times ${why}`).join(', ');
    return `ended ${ends || 'never'}\n${reports
      .slice(-3)
      .map((report) => JSON.stringify(report))
      .join('\n')}\n${said.slice(-2_000)}`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.goOn();
    await this.#process?.kill();
    await this.#kept;
  }

  async #keep(): Promise<void> {
    while (!this.#closed) {
      this.#process = this.#start();
      const last = await this.#process.end();
      if (this.#closed) return;
      if (this.#isKilled) count(this.ends, 'killed');
      else if (last?.kind === 'failed' && last.fault.retry === 'timed') count(this.ends, last.fault.code);
      else throw new Error(`The job process ended: ${JSON.stringify(last)}`);
      this.#isKilled = false;
      this.#endsSinceStrike++;
      if (this.#endsSinceStrike >= mostEnds) throw new Error(`The job does not come back: ${JSON.stringify(last)}`);
      await this.#mayStart;
    }
  }
}
