import { expect } from 'vitest';
import { Random } from '../../engine/contract/random.ts';
import { errorMessage } from '../../error-message.ts';
import { logicalCluster, startPostgres } from '../postgres.ts';
import { type Fault, faults } from './faults.ts';
import { KeptJob } from './kept-job.ts';
import { KeptService } from './kept-service.ts';
import { Pair, type Servers } from './pair.ts';
import { type Phase, phases, type Scene } from './phases.ts';
import { type Parts, standingOf } from './standing.ts';

/** The results of one fault's rounds. */
export interface Tally {
  fault: string;
  /** Rounds by phase; each struck while changes were in flight. */
  counted: Map<string, number>;
  /** The users' changes per second. */
  rate: number;
  /** Transactions in flight at each strike. */
  inFlight: number[];
  ends: ReadonlyMap<string, number>;
  seconds: number;
}

/** For a starved machine. */
const longestStepMs = 480_000;

/** Two servers that get killed; users find their deadlocks soon. @param settings of each in addition */
export async function startServers(settings: Partial<Record<keyof Servers, Record<string, string>>> = {}) {
  const start = (own: Record<string, string> = {}) =>
    startPostgres({
      ...logicalCluster,
      settings: { ...logicalCluster.settings, deadlock_timeout: '50ms', shared_buffers: '16MB', ...own },
    });
  const [source, target] = await Promise.all([start(settings.source), start(settings.target)]);
  return { source, target } satisfies Servers;
}

/** Servers that jobs run between, one job per fault. */
export class Rig {
  readonly #servers: Servers;
  /** The web processes' store. */
  readonly #storeServer: string;

  private constructor(servers: Servers, storeServer: string) {
    this.#servers = servers;
    this.#storeServer = storeServer;
  }

  static async start(storeServer: string): Promise<Rig> {
    return new Rig(await startServers(), storeServer);
  }

  /**
   * Strikes a job of its own with a fault, in each phase in turn.
   * @throws when the target differs from the source afterwards
   */
  async strike(fault: Fault, rounds: number): Promise<Tally> {
    const pair = await Pair.open(this.#servers, new Random(faults.indexOf(fault) + 1));
    const runner = fault.needsService ? await KeptService.open(pair, this.#storeServer) : new KeptJob(pair);
    try {
      return await strikeJob(fault, phases, rounds, { pair, runner, servers: this.#servers });
    } finally {
      await runner.close();
      await pair.dropSlots();
      await pair.close();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#servers.source.stop(), this.#servers.target.stop()]);
  }
}

/**
 * Strikes one job with a fault, once in each phase in turn, while users write.
 * @throws when the target differs from the source afterwards
 */
export async function strikeJob(fault: Fault, among: readonly Phase[], rounds: number, parts: Parts): Promise<Tally> {
  const { pair, runner } = parts;
  const begun = performance.now();
  const tally: Tally = { fault: fault.name, counted: new Map(), rate: 0, inFlight: [], ends: runner.ends, seconds: 0 };
  const users = pair.write();
  const scene = { ...parts, isStarted: false, nextTable: await tablesOf(pair) };
  for (let round = 0; round < rounds; round++) {
    const phase = among[round % among.length];
    if (phase) await strike(fault, phase, scene, tally);
  }
  tally.rate = users.rate;
  const { source, target } = await within(pair.hashes(), 'comparing both sides', parts);
  expect(target, fault.name).toEqual(source);
  tally.seconds = (performance.now() - begun) / 1_000;
  return tally;
}

async function strike(fault: Fault, phase: Phase, scene: Scene & Parts, tally: Tally): Promise<void> {
  const { pair, runner } = scene;
  const step = <Result>(work: Promise<Result>, what: string) => within(work, `${phase.name}: ${what}`, scene);
  if (scene.isStarted) await step(pair.untilLive(), 'until every table is live');
  const reached = pair.network.hold((seen, isInsideSlice) => phase.wants(seen, isInsideSlice));
  if (!scene.isStarted) await step(runner.start(), 'the start of the job');
  if (phase.begin) await step(phase.begin(scene), 'bringing it about');
  scene.isStarted = true;
  const held = await step(pair.untilHeld(reached), 'until it passes by');
  const isAtTarget = held.seen.kind === 'committed' || held.seen.kind === 'acknowledgement';
  // Transactions that the target has and the source does not yet know about are in flight too; otherwise the users'
  // next one will be.
  const known = isAtTarget ? held.unacknowledged : 0;
  tally.inFlight.push(known || (await step(pair.untilInFlight(), 'until a transaction is in flight')));
  runner.struck();
  await step(fault.strike(scene, held), 'the strike');
  await step(pair.untilCaughtUp(), 'until the target has caught up');
  tally.counted.set(phase.name, (tally.counted.get(phase.name) ?? 0) + 1);
}

/** Ids of the tables that are copied again, in turn. */
async function tablesOf({ source }: Pair): Promise<() => string> {
  const rows = await source.ask(
    `SELECT oid::text FROM pg_class WHERE relname IN ('account', 'entry', 'document') ORDER BY relname`,
  );
  let next = 0;
  return () => String(rows[next++ % rows.length]?.[0]);
}

/** @throws with the state of both servers and the job, also on a timeout */
async function within<Result>(work: Promise<Result>, what: string, parts: Parts): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('waited too long')), longestStepMs);
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new Error(`${what}: ${errorMessage(error)}\n${await standingOf(parts)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
