import type { Row } from '../change.ts';
import { EngineError } from '../errors.ts';
import type { Observer } from '../flow/observer.ts';
import type { Route } from '../flow/route.ts';
import { newRunningJob, type RunningJob } from '../flow/running-job.ts';
import { requestTable } from '../handover/table-requests.ts';
import { sync } from '../phases/sync.ts';
import { hasReached } from '../position.ts';
import type { Filters } from '../source.ts';
import { Model } from './model.ts';
import { meets, pickFilters } from './model-filter.ts';
import { ModelTarget, modelSink } from './model-sink.ts';
import { modelSource } from './model-source.ts';
import { modelTables } from './model-tables.ts';
import { Process } from './process.ts';
import { Random } from './random.ts';
import { Turns } from './turns.ts';

/** Steps of the users, and how many turns a history may take until both sides are the same. */
const userSteps = 250;
const mostTurns = 40_000;

const silent: Observer = {
  copied: () => undefined,
  applied: () => undefined,
  pending: () => undefined,
  idle: () => undefined,
  changed: () => undefined,
  event: () => undefined,
  blocked: (table, error) => {
    throw new Error(`${table.id} was blocked: ${error.message}`);
  },
  waited: () => undefined,
};

/** A process that runs the job, and how it ended. */
interface Run {
  process: Process;
  job: RunningJob;
  ended?: unknown;
}

/**
 * Runs the real copy and follow between a model source and a model target, with users, faults and kills between any two
 * steps, until nothing is left to do.
 * @returns the rows of both sides by table and key; of the source those that meet the filter
 * @throws when the job ends in another way than by a fault that was injected, or does not come to rest
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
  /** One history in three has neither faults nor kills, so that they do not hide what happens without. */
  readonly #isCalm: boolean;
  #run: Run;
  #left = userSteps;

  constructor(seed: number, count: (kind: string) => void) {
    this.#seed = seed;
    this.#count = count;
    this.#random = new Random(seed);
    this.#turns = new Turns(this.#random);
    this.#filters = pickFilters(this.#random);
    this.#model = new Model(this.#random, count, this.#filters);
    this.#target = new ModelTarget(count);
    this.#isCalm = this.#random.chance(0.3);
    for (let step = this.#random.below(120); step > 0; step--) this.#model.step();
    this.#run = this.#start();
  }

  isDone(): boolean {
    const { mark } = this.#target;
    const states = [...mark.tables.values()].map(({ state }) => state);
    const isLive = states.length === modelTables.length && states.every((state) => state === 'live');
    const isIdle = mark.rereads.length === 0 && this.#run.job.requests.length === 0;
    return this.#left <= 0 && this.#model.isAtRest && isLive && isIdle && hasReached(mark.position, this.#model.end);
  }

  async step(): Promise<void> {
    if (this.#turns.taken > mostTurns)
      throw new Error(`Seed ${this.#seed} does not come to rest: ${describe(this.#target)}`);
    this.#restart();
    this.#work();
    if (this.#random.chance(this.#left > 0 ? 0.004 : 0.02)) ask(this.#run, this.#random, this.#left > 0, this.#count);
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

  /** After a fault, or a kill. */
  #restart(): void {
    const { ended, process } = this.#run;
    if (ended && !isInjected(ended)) throw ended;
    const isKilled = !this.#isCalm && this.#left > 0 && this.#random.chance(0.004);
    if (!ended && !isKilled) return;
    if (isKilled) {
      const states = modelTables.map(({ id }) => this.#target.mark.tables.get(id)?.state ?? 'waiting');
      this.#count(`killed while ${this.#random.pick(states)}`);
    }
    process.kill();
    this.#run = this.#start();
  }

  /** The users write, and finish what they have begun in the end. */
  #work(): void {
    if (this.#left <= 0) {
      if (this.#random.chance(0.3)) this.#model.finish();
    } else if (this.#random.chance(0.35)) {
      this.#left--;
      this.#model.step();
    }
  }
}

/** A person pauses, resumes or resyncs a table; in the end nothing stays paused. */
function ask(run: Run, random: Random, isBusy: boolean, count: (kind: string) => void): void {
  const tables = [...run.job.tables.values()];
  if (tables.length === 0) return;
  const table = random.pick(tables);
  if (!isBusy) {
    if (table.isSkipped) requestTable(run.job, table.id, 'resume');
    return;
  }
  const action = random.pick(['pause', 'resume', 'resync'] as const);
  count(action);
  requestTable(run.job, table.id, action);
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
      conflict: 'replace',
      parallel: 1 + random.below(3),
    },
    source: modelSource(model, process),
    sink: modelSink(target, process),
    clock: { now: () => turns.taken, wait: () => process.turn(), soon: () => process.turn() },
    limits: {
      batchRows: 1 + random.below(20),
      batchBytes: 4_000,
      sliceBytes: 500 + random.below(1_500),
      chunkRows: 1 + random.below(6),
      ranges: 1 + random.below(3),
      idleMs: 5,
    },
    observer: silent,
    signal: new AbortController().signal,
  });
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
