import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JobSpec } from '../engine/job.ts';
import { type Order, type Report, type Retry, reportSchema } from '../engine/protocol.ts';

const engine = fileURLToPath(new URL('../engine/main.ts', import.meta.url));

interface JobProcessOptions {
  execArgv?: string[];
  script?: string;
  env?: Record<string, string>;
  /** Parked rows that a complete job tries again. */
  retries?: Retry[];
}

/** The process of a job as the supervisor starts it, with everything that it reports. */
export class JobProcess {
  readonly reports: Report[] = [];
  /** What it wrote to its outputs, which the log of the server takes in. */
  said = '';
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #told = Promise.withResolvers<void>();

  /**
   * @param options flags of Node.js, as the supervisor bounds the heap by them; another program than the engine's; what
   * stands in the environment besides; what a complete job is started for
   */
  constructor(spec: JobSpec, { execArgv = [], script = engine, env = {}, retries }: JobProcessOptions = {}) {
    this.#child = fork(script, [], {
      execArgv,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on('data', (chunk: Buffer) => {
        this.said += chunk;
        process.stderr.write(chunk);
      });
    // Its last report may come behind its end.
    this.#exit = Promise.all([once(this.#child, 'exit'), once(this.#child, 'disconnect')]);
    this.#child.on('message', (message) => {
      this.reports.push(reportSchema.parse(message));
      this.#told.resolve();
      this.#told = Promise.withResolvers();
    });
    this.#child.send({ kind: 'start', spec, ...(retries && { retries }) } satisfies Order);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(order: Exclude<Order, { kind: 'start' }>): void {
    // A process that has ended takes none, which its end tells.
    this.#child.send(order, () => undefined);
  }

  /** Ends when the reports say so. @throws when the process ended before */
  async until(isThere: (reports: readonly Report[]) => boolean): Promise<void> {
    while (!isThere(this.reports)) {
      const how = await Promise.race([this.#told.promise, this.#exit.then(() => 'ended' as const)]);
      if (how === 'ended' && !isThere(this.reports))
        throw new Error(`The job ended: ${JSON.stringify(this.reports.slice(-3))}`);
    }
  }

  /** What was reported of tables, the oldest first. */
  tables() {
    return this.reports.flatMap((report) => (report.kind === 'tables' ? report.tables : []));
  }

  /** The newest state of each table, by its name at the source. */
  states(): Record<string, string> {
    return Object.fromEntries(this.tables().map(({ source, state }) => [source, state]));
  }

  /** Whether it has been idle for a minute, so that what differs now stays so. */
  get isIdle(): boolean {
    const samples = this.reports.flatMap((report) => (report.kind === 'sample' ? [report.sample] : []));
    return samples.length > 60 && samples.slice(-60).every(({ applied, copied }) => applied + copied === 0);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** @returns the last report */
  async end(): Promise<Report | undefined> {
    await this.#exit;
    return this.reports.at(-1);
  }
}
