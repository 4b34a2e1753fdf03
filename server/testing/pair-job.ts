import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../engine/flow/clock.ts';
import { defaultLimits, type Limits, newRunningJob, type RunningJob } from '../engine/flow/running-job.ts';
import type { CommandEnds } from '../engine/handover/command-ends.ts';
import { requestTable } from '../engine/handover/table-requests.ts';
import type { JobSpec } from '../engine/job.ts';
import { makeStructure } from '../engine/phases/structure.ts';
import { sync } from '../engine/phases/sync.ts';
import { makeRoutes, selectTables, targetTables } from '../engine/selected-tables.ts';
import { openPostgresSink } from '../engine/systems/postgresql/sink.ts';
import { tableName } from '../engine/table.ts';
import { jobSpec, wholeTables } from './job-spec.ts';
import type { SourceDatabase } from './postgres-source.ts';

/** The longest that the job's own pauses take here, in milliseconds. */
const shortest = 20;

export interface Users {
  source?: string;
  target?: string;
  /** Limits that differ from the usual test limits. */
  limits?: Partial<Limits>;
}

/** A job that follows tables from one database into another, in this process, with short pauses between its checks. */
export class PairJob {
  readonly events: string[] = [];
  readonly job: RunningJob;
  readonly #ended = new AbortController();
  #told = Promise.withResolvers<void>();
  #end: Promise<unknown> = Promise.resolve();
  #fault: unknown;

  private constructor(source: SourceDatabase, target: SourceDatabase, spec: JobSpec, users: Users) {
    const { signal } = this.#ended;
    const tell = () => {
      this.#told.resolve();
      this.#told = Promise.withResolvers();
    };
    this.job = newRunningJob({
      spec,
      source: source.open(users.source ? { user: users.source } : {}),
      sink: openPostgresSink({ ...target.settings, user: users.target ?? target.settings.user }, signal),
      clock: { ...systemClock(signal), wait: (ms) => wait(Math.min(ms, shortest), undefined, { signal }) },
      limits: { ...defaultLimits, chunkRows: 50, idleMs: shortest, ...users.limits },
      observer: {
        copied: tell,
        applied: tell,
        pending: () => undefined,
        idle: tell,
        changed: tell,
        waited: () => undefined,
        event: (_level, sentence, table) => {
          // Transactions of other tests on the same server.
          if (sentence.startsWith('The job waits for transactions that are open')) return;
          this.events.push(`${table ? tableName(table.route.source) : 'job'}: ${sentence}`);
          tell();
        },
        refused: (tables) => {
          this.events.push(...tables.map(({ selection, error }) => `${tableName(selection)}: ${error.message}`));
          tell();
        },
        blocked: (table, error) => {
          this.events.push(`${tableName(table.route.source)}: ${error.message}`);
          tell();
        },
      },
      signal,
    });
  }

  /**
   * Starts it, with a new checkpoint if the job's id has none. @param users that sign in, otherwise the superuser; and
   * limits
   */
  static async start(
    source: SourceDatabase,
    target: SourceDatabase,
    spec: JobSpec,
    users: Users = {},
  ): Promise<PairJob> {
    const running = new PairJob(source, target, spec, users);
    const { job } = running;
    if (spec.structure) await makeStructure(job.source, job.sink, spec, { phase: 'before' });
    const { selected, refused } = await selectTables(job.source, spec);
    const made = makeRoutes(spec, selected, await targetTables(job.sink, spec));
    running.#end = sync(job, made.routes, [...refused, ...made.refused]).catch((error) => {
      running.#fault = error;
      running.#told.resolve();
    });
    return running;
  }

  /**
   * Resolves when the condition holds; it is checked each time the job did something. @throws what the job ended with
   */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      const told = this.#told.promise;
      if (await isSo()) return;
      if (this.#fault) throw this.#fault;
      await told;
    }
  }

  state(name: string): string | undefined {
    return this.#table(name)?.mark.state;
  }

  untilState(name: string, state: string): Promise<void> {
    return this.until(() => this.state(name) === state);
  }

  request(name: string, action: 'pause' | 'resume' | 'resync', ends?: CommandEnds): void {
    const table = this.#table(name);
    if (!table) throw new Error(`The job has no table ${name}.`);
    requestTable(this.job, table.id, action, ends);
  }

  /** What it ended with on its own. */
  async fault(): Promise<unknown> {
    await this.#end;
    return this.#fault;
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#end;
    await Promise.all([this.job.source.close(), this.job.sink.close()]);
  }

  #table(name: string) {
    return [...this.job.tables.values()].find(({ route }) => tableName(route.source) === name);
  }
}

/** A job for public tables that exist on both sides. */
export function pairSpec(id: string, names: readonly string[], changes: Partial<JobSpec> = {}): JobSpec {
  // The sides are already open.
  const side = { family: 'postgresql', settings: null };
  return jobSpec({ id, source: side, target: side, tables: wholeTables(names), structure: false, ...changes });
}
