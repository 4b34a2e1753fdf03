import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { JobSpec } from '../engine/job.ts';
import { type Command, type Report, type Retry, reportSchema } from '../engine/protocol.ts';
import { testedProgram } from './tested-program.ts';

const engine = testedProgram('engine/main');

interface JobProcessOptions {
  execArgv?: string[];
  script?: string;
  env?: Record<string, string>;
  /** Parked rows that a complete job retries. */
  retries?: Retry[];
}

/** The job process as the supervisor starts it, with everything that it reports. */
export class JobProcess {
  readonly reports: Report[] = [];
  /** Its output, which goes to the server's log. */
  said = '';
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #told = Promise.withResolvers<void>();

  /**
   * @param options Node.js flags, which the supervisor uses to limit the heap; a program other than the engine's;
   *   additional environment variables; why a complete job is started
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
    // Its last report may arrive after its end.
    this.#exit = Promise.all([once(this.#child, 'exit'), once(this.#child, 'disconnect')]);
    this.#child.on('message', (message) => {
      this.reports.push(reportSchema.parse(message));
      this.#told.resolve();
      this.#told = Promise.withResolvers();
    });
    this.#child.send({ kind: 'start', spec, ...(retries && { retries }) } satisfies Command);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(command: Exclude<Command, { kind: 'start' }>): void {
    // A process that has ended accepts none, as its end shows.
    this.#child.send(command, () => undefined);
  }

  /** Resolves when the reports match. @throws when the process ended before */
  async until(isThere: (reports: readonly Report[]) => boolean): Promise<void> {
    while (!isThere(this.reports)) {
      const how = await Promise.race([this.#told.promise, this.#exit.then(() => 'ended' as const)]);
      if (how === 'ended' && !isThere(this.reports))
        throw new Error(`The job ended: ${JSON.stringify(this.reports.slice(-3))}`);
    }
  }

  /** The reports about tables, oldest first. */
  tables() {
    return this.reports.flatMap((report) => (report.kind === 'tables' ? report.tables : []));
  }

  /** Each table's latest state, by its name at the source. */
  states(): Record<string, string> {
    return Object.fromEntries(this.tables().map(({ source, state }) => [source, state]));
  }

  /** Whether it has been idle for a minute, so what differs now will not change. */
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
