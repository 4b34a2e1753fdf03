import { type Change, keyOf, type Row } from '../change.ts';
import { EngineError } from '../errors.ts';
import type { Observer } from '../flow/observer.ts';
import type { Route } from '../flow/route.ts';
import { newRunningJob, type RunningJob } from '../flow/running-job.ts';
import { requestRetry } from '../handover/retry.ts';
import { requestTable } from '../handover/table-requests.ts';
import { sync } from '../phases/sync.ts';
import { hasReached } from '../position.ts';
import type { Filters, Source } from '../source.ts';
import { Model } from './model.ts';
import { meets, pickFilters } from './model-filter.ts';
import { ModelTarget, modelSink } from './model-sink.ts';
import { modelSource } from './model-source.ts';
import { modelTables } from './model-tables.ts';
import { Process } from './process.ts';
import { Random } from './random.ts';
import { Turns } from './turns.ts';

/** User steps; in a short history, what is wrong after the first copy is still wrong at the end. */
const userSteps = 250;
const shortSteps = 60;
/** How many turns a history may take until both sides are the same. */
const mostTurns = 40_000;
/** How long commits may stay invisible at a time, in user steps. */
const mostStalled = 40;

/**
 * A table may be blocked by its parked rows. A table that parks none may be blocked by a unique value of a reread row:
 * the stream gives the value to another row first.
 */
const observer = (count: (kind: string) => void): Observer => ({
  copied: () => undefined,
  applied: () => undefined,
  pending: () => undefined,
  idle: () => undefined,
  changed: () => undefined,
  event: () => undefined,
  blocked: (table, error) => {
    if (error.code === 'TOO_MANY_ROWS_REFUSED') count('blocked by its parked rows');
    else if (error.code === 'UNIQUE_REFUSED' && !table.route.target.exactKey) count('blocked by a unique value');
    else throw new Error(`${table.id} was blocked: ${error.message}`);
  },
  waited: () => undefined,
});

/** A process that runs the job, and how it ended. */
interface Run {
  process: Process;
  job: RunningJob;
  ended?: unknown;
}

/**
 * Runs the real copy and follow between a model source and a model target, with users, faults and kills between any two
 * steps, until nothing is left to do.
 * @returns the rows of both sides by table and key; for the source, only rows that meet the filter
 * @throws if the job ends other than by an injected fault, or does not settle
 */
export async function simulate(seed: number, count: (kind: string) => void) {
  const history = new History(seed, count);
  while (!history.isDone()) await history.step();
  return history.rows();
}

class History {
  readonly #seed: number;
  readonly #count: (kind: string) => void;
  readonly #random: Random;
  readonly #turns: Turns;
  readonly #model: Model;
  readonly #filters: Filters;
  readonly #target: ModelTarget;
  /** One history in three has neither faults nor kills, so they cannot hide what happens without them. */
  readonly #isCalm: boolean;
  #run: Run;
  #left: number;

  constructor(seed: number, count: (kind: string) => void) {
    this.#seed = seed;
    this.#count = count;
    this.#random = new Random(seed);
    this.#turns = new Turns(this.#random);
    this.#filters = pickFilters(this.#random);
    this.#model = new Model(this.#random, count, this.#filters);
    this.#target = new ModelTarget(count, this.#random.chance(0.3));
    this.#isCalm = this.#random.chance(0.3);
    this.#left = this.#random.chance(0.4) ? 1 + this.#random.below(shortSteps) : userSteps;
    const refusedOf = this.#random.pick([1, 4, 11, 23, 0]);
    this.#target.rejects = (row) => refusedOf > 0 && row.some((cell) => isRefused(cell, refusedOf));
    this.#write(this.#random.below(120));
    if (this.#random.chance(0.3)) {
      count('rows at the target before the job');
      const snapshot = this.#model.snapshot();
      for (const table of modelTables) this.#target.fill(table, snapshot.rows(table));
      this.#write(this.#random.below(60));
    }
    this.#run = this.#start();
  }

  #write(steps: number): void {
    for (let step = steps; step > 0; step--) this.#model.step();
  }

  isDone(): boolean {
    const { mark } = this.#target;
    const states = [...mark.tables.values()].map(({ state }) => state);
    const isLive = states.length === modelTables.length && states.every((state) => state === 'live');
    const isParked = [...mark.parked.values()].some(({ length }) => length > 0);
    const isIdle = mark.rereads.length === 0 && this.#run.job.requests.length === 0 && !isParked;
    return this.#left <= 0 && this.#model.isAtRest && isLive && isIdle && hasReached(mark.position, this.#model.end);
  }

  async step(): Promise<void> {
    if (this.#turns.taken > mostTurns)
      throw new Error(`Seed ${this.#seed} does not come to rest: ${describe(this.#target)}`);
    this.#restart();
    this.#work();
    const { isStalled } = this.#model;
    const tell = (kind: string) => this.#count(isStalled ? `${kind} while nobody sees commits` : kind);
    if (this.#random.chance(isStalled || this.#left <= 0 ? 0.02 : 0.004))
      ask(this.#run, this.#random, this.#isBusy, tell);
    if (this.#random.chance(0.01)) retry(this.#run, this.#random, this.#isBusy, this.#count);
    await this.#turns.next();
  }

  rows() {
    this.#run.process.kill();
    const snapshot = this.#model.snapshot();
    return {
      source: new Map(
        modelTables.map((table) => {
          const rows = snapshot.rows(table).filter((row) => meets(table, this.#filters.get(table.id), row));
          return [table.id, sort(rows)];
        }),
      ),
      target: new Map(modelTables.map((table) => [table.id, sort([...this.#target.of(table).values()])])),
    };
  }

  #start(): Run {
    const process = new Process(this.#random, this.#turns, this.#isCalm ? 0 : 0.01, this.#count, (position) => {
      if (!hasReached(this.#target.mark.position, position))
        throw new Error(`Acknowledged before the mark, seed ${this.#seed}.`);
    });
    const job = runningJob(this.#model, this.#target, process, this.#turns, this.#random);
    const run: Run = { process, job };
    if (this.#target.mark.slice > 0) this.#count('restart inside a slice');
    const routes = modelTables.map((table) => route(table, this.#filters.get(table.id) ?? null));
    sync(job, routes).catch((error) => {
      run.ended = error;
    });
    return run;
  }

  /** After a fault or a kill. */
  #restart(): void {
    const { ended, process } = this.#run;
    if (ended && !isInjected(ended)) throw ended;
    const isKilled = !this.#isCalm && this.#isBusy && this.#random.chance(0.004);
    if (!ended && !isKilled) return;
    if (isKilled) {
      const states = modelTables.map(({ id }) => this.#target.mark.tables.get(id)?.state ?? 'waiting');
      this.#count(`killed while ${this.#random.pick(states)}`);
    }
    process.kill();
    this.#run = this.#start();
  }

  /** The users write, and finish at the end what they have begun. */
  #work(): void {
    if (this.#left <= 0) {
      // The target's administrator has made room for every value.
      this.#target.rejects = () => false;
      if (this.#random.chance(0.3)) this.#model.finish();
    } else if (this.#random.chance(0.35)) {
      this.#left--;
      this.#model.step();
      // Damage to commits that are not visible yet is never mended if no one writes afterwards.
      if (this.#random.chance(this.#left === 0 ? 0.7 : 0.008)) this.#stall();
    }
  }

  #stall(): void {
    this.#count('nobody sees commits for a while');
    this.#model.stall(this.#random.below(mostStalled));
  }

  /** Something that the job must cope with is still to come. */
  get #isBusy(): boolean {
    return this.#left > 0 || this.#model.isStalled;
  }
}

/** An operator pauses, resumes or resyncs a table; at the end no table stays paused. */
function ask(run: Run, random: Random, isBusy: boolean, count: (kind: string) => void): void {
  const tables = [...run.job.tables.values()];
  if (tables.length === 0) return;
  // Most of what can go wrong does so while a table is copied again.
  const copied = tables.filter(({ mark }) => mark.resync);
  const table = random.pick(copied.length > 0 && random.chance(0.5) ? copied : tables);
  if (!isBusy) {
    if (table.isSkipped) requestTable(run.job, table.id, 'resume');
    return;
  }
  const action = random.pick(['pause', 'resume', 'resync', table.isSkipped ? 'resume' : 'pause'] as const);
  count(action);
  requestTable(run.job, table.id, action);
}

/** An operator retries parked rows: one, or all of a table. */
function retry(run: Run, random: Random, isBusy: boolean, count: (kind: string) => void): void {
  const tables = [...run.job.tables.values()].filter(({ parked }) => parked.size > 0);
  if (tables.length === 0) return;
  const table = random.pick(tables);
  const isOne = isBusy && random.chance(0.5);
  count(isOne ? 'retry of one row' : 'retry of all rows');
  requestRetry(run.job, table.id, isOne ? random.pick([...table.parked.values()]).number : null);
}

/** Every nth value is refused, and one key part. */
function isRefused(cell: Row[number], of: number): boolean {
  if (cell === 'k13') return true;
  const [, number] = (typeof cell === 'string' && /^(?:a|big)(\d+)$/.exec(cell)) || [];
  return number !== undefined && Number(number) % of === 0;
}

function isInjected(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'CONNECTION_LOST' || error.code === 'EPOCH_LOST');
}

function runningJob(model: Model, target: ModelTarget, process: Process, turns: Turns, random: Random): RunningJob {
  return newRunningJob({
    spec: {
      id: 'canalmodel000000',
      type: 'SYNC',
      source: { family: 'model', settings: null },
      target: { family: 'model', settings: null },
      structure: false,
      initialLoad: true,
      tables: [],
      ddl: 'safe',
      conflict: random.pick(['replace', 'ignore'] as const),
      parallel: 1 + random.below(4),
    },
    source: countingAbsorbed(modelSource(model, process), target),
    sink: modelSink(target, process),
    clock: {
      now: () => turns.taken,
      elapsed: () => turns.taken,
      wait: () => process.turn(),
      soon: () => process.turn(),
    },
    limits: {
      batchRows: 1 + random.below(20),
      batchBytes: 12_000,
      sliceBytes: 1_500 + random.below(4_500),
      chunkRows: 1 + random.below(4),
      ranges: 1 + random.below(5),
      idleMs: 5,
    },
    observer: observer(target.count),
    signal: new AbortController().signal,
  });
}

/** Counts key changes of rows that are parked when the change arrives. */
function countingAbsorbed(source: Source, target: ModelTarget): Source {
  const look = (change: Change) => {
    if (change.kind !== 'row' || !change.after) return;
    const isParked = (row: Row) => target.parkedRow(change.table, keyOf(change.table, row)) !== undefined;
    if (change.before && isParked(change.before)) target.count('key change of a parked row');
    if (isParked(change.after)) target.count(change.before ? 'key change to a parked key' : 'change of a parked row');
  };
  return {
    ...source,
    async stream(job, from, tables, filters) {
      const stream = await source.stream(job, from, tables, filters);
      return {
        ...stream,
        async *[Symbol.asyncIterator]() {
          for await (const changes of stream) {
            changes.forEach(look);
            yield changes;
          }
        },
      };
    },
  };
}

function route(table: (typeof modelTables)[number], filter: string | null): Route {
  const { schema, name } = table;
  const selection = { schema, name, target: { schema, name }, columns: null, renamed: {}, filter };
  return { selection, source: table, target: table, places: table.columns.map((_, place) => place) };
}

function sort(rows: Row[]): Row[] {
  return rows.map((row) => [...row]).sort((one, other) => (String(one) < String(other) ? -1 : 1));
}

function describe({ mark }: ModelTarget): string {
  return JSON.stringify({ ...mark, tables: [...mark.tables] });
}
