import { join } from 'node:path';
import { JobProcess } from '../job-process.ts';
import type { Pair } from './pair.ts';
import { count, type Runner } from './runner.ts';
import { writeLarge } from './users.ts';

/** Ends in a row without a commit between them: the job does not come back. */
const mostEnds = 20;

/** The process of a job, started again whenever it ends by a fault that the supervisor would try again. */
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
    return `${reports
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
    let inARow = 0;
    while (!this.#closed) {
      let hasCommitted = false;
      void this.#pair.network.nextCommit().then(() => {
        hasCommitted = true;
      });
      this.#process = this.#start();
      const last = await this.#process.end();
      if (this.#closed) return;
      if (this.#isKilled) count(this.ends, 'killed');
      else if (last?.kind === 'failed' && last.fault.retry === 'timed') count(this.ends, last.fault.code);
      else throw new Error(`The process of the job ended: ${JSON.stringify(last)}`);
      this.#isKilled = false;
      inARow = hasCommitted ? 0 : inARow + 1;
      if (inARow >= mostEnds) throw new Error(`The job does not come back: ${JSON.stringify(last)}`);
      await this.#mayStart;
    }
  }
}
