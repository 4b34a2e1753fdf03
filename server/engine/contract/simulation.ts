import type { Row } from '../change.ts';
import { EngineError } from '../errors.ts';
import type { Observer } from '../flow/observer.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { TableLocks } from '../handover/locks.ts';
import { requestTable } from '../handover/table-requests.ts';
import { sync } from '../phases/sync.ts';
import { hasReached } from '../position.ts';
import { Model } from './model.ts';
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
 * @returns the rows of both sides by table and key
 * @throws when the job ends in another way than by a fault that was injected, or does not come to rest
 */
export async function simulate(seed: number, count: (kind: string) => void) {
  const random = new Random(seed);
  const turns = new Turns(random);
  const model = new Model(random, count);
  const target = new ModelTarget(count);
  // One history in three has neither faults nor kills, so that they do not hide what happens without.
  const isCalm = random.chance(0.3);
  for (let step = random.below(120); step > 0; step--) model.step();
  let run = start();
  let left = userSteps;

  function start(): Run {
    const process = new Process(random, turns, isCalm ? 0 : 0.01, count, (position) => {
      if (!hasReached(target.mark.position, position)) throw new Error(`Acknowledged before the mark, seed ${seed}.`);
    });
    const job = runningJob(model, target, process, turns, random);
    const next: Run = { process, job };
    if (target.mark.slice > 0) count('restart inside a slice');
    sync(job, modelTables.map(route)).catch((error) => {
      next.ended = error;
    });
    return next;
  }

  function isDone(): boolean {
    const states = [...target.mark.tables.values()].map(({ state }) => state);
    const isLive = states.length === modelTables.length && states.every((state) => state === 'live');
    const isIdle = target.mark.rereads.length === 0 && run.job.requests.length === 0;
    return left <= 0 && model.isAtRest && isLive && isIdle && hasReached(target.mark.position, model.end);
  }

  while (!isDone()) {
    if (turns.taken > mostTurns) throw new Error(`Seed ${seed} does not come to rest: ${describe(target)}`);
    if (run.ended) {
      if (!isInjected(run.ended)) throw run.ended;
      run.process.kill();
      run = start();
    }
    if (left > 0 && random.chance(0.35)) {
      left--;
      model.step();
    } else if (left <= 0 && random.chance(0.3)) model.finish();
    if (!isCalm && left > 0 && random.chance(0.004)) {
      const states = modelTables.map(({ id }) => target.mark.tables.get(id)?.state ?? 'waiting');
      count(`killed while ${random.pick(states)}`);
      run.process.kill();
      run = start();
    }
    if (random.chance(left > 0 ? 0.004 : 0.02)) ask(run, random, left > 0, count);
    await turns.next();
  }
  run.process.kill();
  const rows = model.snapshot();
  return {
    source: new Map(modelTables.map((table) => [table.id, sort(rows.rows(table))])),
    target: new Map(modelTables.map((table) => [table.id, sort([...target.of(table).values()])])),
  };
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
  return {
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
    epoch: 0,
    position: null,
    slice: 0,
    unseen: new Set(),
    rereads: [],
    tables: new Map(),
    locks: new TableLocks(),
    requests: [],
    copyWanted: Promise.withResolvers(),
  };
}

function route(table: (typeof modelTables)[number]): Route {
  return { source: table, target: table, places: table.columns.map((_, place) => place) };
}

function sort(rows: Row[]): Row[] {
  return rows.map((row) => [...row]).sort((one, other) => (String(one) < String(other) ? -1 : 1));
}

function describe({ mark }: ModelTarget): string {
  return JSON.stringify({ ...mark, tables: [...mark.tables] });
}
