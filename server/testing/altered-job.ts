import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { Random } from '../engine/contract/random.ts';
import type { JobSpec } from '../engine/job.ts';
import type { Question, Report, TableReport } from '../engine/protocol.ts';
import { errorMessage } from '../error-message.ts';
import { JobProcess } from './job-process.ts';
import { testedProgram } from './tested-program.ts';

const steps = 30;
/** After this many requests and starts another one changes nothing. */
const mostOrders = 50;

/**
 * A test's histories: kinds with their seeds. ALTERED_SEEDS=101-140 runs those seeds instead, each with the next kind,
 * to try further ones.
 */
export function histories(listed: Record<string, number[]>): [kind: string, seed: number][] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(process.env.ALTERED_SEEDS ?? '') ?? [];
  const kinds = Object.keys(listed);
  if (first === undefined)
    return kinds.flatMap((kind) => (listed[kind] ?? []).map((seed): [string, number] => [kind, seed]));
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, place) => {
    const seed = Number(first) + place;
    return [kinds[seed % kinds.length] ?? '', seed];
  });
}

/** The most rows of a table and side that a failure prints. */
const mostPrinted = 5;

/** What a table has on one side alone; empty if both have the same rows. */
export function differingRows(table: string, source: readonly string[], target: readonly string[]): string {
  const only = (rows: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return rows.filter((row) => !known.has(row)).slice(0, mostPrinted);
  };
  const [missing, more] = [only(source, target), only(target, source)];
  if (missing.length + more.length === 0 && source.length === target.length) return '';
  return `${table}: only the source has ${JSON.stringify(missing)}, only the target ${JSON.stringify(more)}`;
}

/** A source with random user and administrator actions, and its target. */
export interface AlteredPair {
  /** A user's statement; `turn` differs each time. */
  write(random: Random, turn: number): string;
  /** An administrator's statements, each in its own transaction except for the last. */
  alter(random: Random, turn: number): Promise<string[]>;
  perform(statement: string): Promise<void>;
  /** Tables whose target differs from what is expected, with rows of them; empty when none differ. */
  difference(): Promise<string>;
  /** What an operator does for a blocked table before it is copied again. */
  mend?(table: string): void;
  /** Whether a starting job may begin again from its first row. */
  replays?: boolean;
}

/** Whether another process is started: by the supervisor, or by an operator who has fixed the failure. */
const isEnding = (report: Report) =>
  report.kind === 'restart' || (report.kind === 'failed' && report.fault.retry !== 'never');

const isForPerson = (report: Report) => report.kind === 'failed' && report.fault.retry === 'manual';

/** A job whose source is altered while it runs, is killed and restarts. */
export class AlteredJob {
  #spec: JobSpec;
  readonly #pair: AlteredPair;
  #running: JobProcess | undefined;
  #orders = 0;

  constructor(spec: JobSpec, pair: AlteredPair) {
    this.#spec = spec;
    this.#pair = pair;
  }

  /** @throws with everything that was done, when the target stays different */
  async run(seed: number): Promise<void> {
    const random = new Random(seed);
    const done: string[] = [];
    this.#running = new JobProcess(this.#spec);
    try {
      for (let turn = 1; turn <= steps; turn++) done.push(...(await this.#happen(random, turn)));
      await this.#untilEqual(this.#running ?? this.#start());
    } catch (error) {
      const told = JSON.stringify(this.#running?.tables().slice(-3));
      throw new Error(`Seed ${seed}:\n${done.join(';\n')}\n${told}\n${errorMessage(error)}`, { cause: error });
    }
  }

  async kill(): Promise<void> {
    await this.#running?.kill();
    this.#running = undefined;
  }

  /** What a replay does before its first process. */
  async #release(): Promise<true> {
    const answering = fork(testedProgram('engine/answer'));
    answering.send({ kind: 'release', spec: this.#spec } satisfies Question);
    const [answer] = await once(answering, 'message');
    expect(answer).toMatchObject({ ok: true });
    this.#spec = { ...this.#spec, replays: true };
    return true;
  }

  #start(): JobProcess {
    this.#running = new JobProcess(this.#spec);
    return this.#running;
  }

  /** One random turn. @returns what happened */
  async #happen(random: Random, turn: number): Promise<string[]> {
    const { alter, perform, write } = this.#pair;
    const done: string[] = [];
    if (random.chance(0.15)) {
      if (this.#running) {
        done.push('-- kill');
        await this.kill();
      } else {
        done.push(this.#pair.replays && random.chance(0.4) && (await this.#release()) ? '-- replay' : '-- start');
        this.#start();
      }
    }
    const statements = random.chance(0.25) ? await alter(random, turn) : [write(random, turn)];
    for (const statement of statements) await perform(statement);
    const told = this.#running?.reports.length ?? 0;
    if (random.chance(0.3)) await this.#running?.until((reports) => reports.length > told || reports.some(isEnding));
    return [...done, ...statements];
  }

  /** Waits until both sides are equal, with the help of the supervisor and an operator. */
  async #untilEqual(first: JobProcess): Promise<void> {
    let job = first;
    let told = 0;
    for (;;) {
      if (job.reports.some(isEnding)) {
        await job.kill();
        this.#count();
        if (job.reports.some(isForPerson)) for (const { name } of this.#spec.tables) this.#pair.mend?.(name);
        job = this.#start();
        told = 0;
      }
      const reports = job.reports.slice(told);
      // Reports that arrive while both sides are read are checked next time.
      told += reports.length;
      this.#takeBack(job, reports);
      const differing = await this.#pair.difference();
      if (differing === '' && this.#isLive(job)) return;
      if (job.isIdle) expect(differing).toBe('');
      // It may have ended while both sides were read, and reports nothing more then.
      await job.until((all) => all.length > told || all.some(isEnding));
    }
  }

  #count(): void {
    if (++this.#orders > mostOrders) throw new Error('The job keeps waiting or ending, whatever is done.');
  }

  #isLive(job: JobProcess): boolean {
    const states = job.states();
    return this.#spec.tables.every(({ schema, name }) => states[`${schema}.${name}`] === 'live');
  }

  /** Tables that these reports show as waiting for an operator are fixed and copied again. */
  #takeBack(job: JobProcess, reports: readonly Report[]): void {
    const told = reports.flatMap((report): TableReport[] => (report.kind === 'tables' ? report.tables : []));
    for (const { id, source, state } of told) {
      if (state !== 'blocked') continue;
      this.#count();
      this.#pair.mend?.(source.slice(source.indexOf('.') + 1));
      job.send({ kind: 'table', id, action: 'resync' });
    }
  }
}
