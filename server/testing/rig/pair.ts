import type { Random } from '../../engine/contract/random.ts';
import type { JobSpec } from '../../engine/job.ts';
import { jobSpec, wholeTables } from '../job-spec.ts';
import { createDatabase, dropSlots, type PostgresServer } from '../postgres.ts';
import { settingsOf } from '../postgres-source.ts';
import { TestDatabase } from './database.ts';
import { Network } from './network.ts';
import { isDeadlock, schema, tables, Users } from './users.ts';

/** Two servers of the rig's own, which get killed. */
export interface Servers {
  source: PostgresServer;
  target: PostgresServer;
}

/** The row of `pulse` that does not belong to a user. */
const ownPulse = 0;
/** The number of transactions in flight at which users pause while the job catches up; seconds of their writing. */
const mostInFlight = 150;
/** At how many they go on: a table that must reread rows becomes live only once the job has almost caught up. */
const fewInFlight = 5;

/** Two databases, users who write to the first, and the network over which a job reaches both. */
export class Pair {
  readonly network = new Network();
  readonly source: TestDatabase;
  readonly target: TestDatabase;
  readonly #random: Random;
  #users: Users | undefined;
  #refused = 0;
  /** Ends the wait for a job that will make no more progress. */
  readonly #givingUp = Promise.withResolvers<never>();

  private constructor(source: TestDatabase, target: TestDatabase, random: Random) {
    this.source = source;
    this.target = target;
    this.#random = random;
    this.#givingUp.promise.catch(() => undefined); // reported to the waiting caller
  }

  /** @param options of the test's own sessions at the source, as in a connection string */
  static async open(servers: Servers, random: Random, options = ''): Promise<Pair> {
    const source = await createDatabase(servers.source.url + options);
    const target = await createDatabase(servers.target.url);
    const pair = new Pair(new TestDatabase(source), new TestDatabase(target), random);
    await pair.source.ask(schema);
    await pair.network.open(addressOf(source), addressOf(target));
    return pair;
  }

  /** The job as its process receives it; both connections use the network. */
  get spec(): JobSpec {
    const [source, target] = this.settings;
    return jobSpec({
      source: { family: 'postgresql', settings: source },
      target: { family: 'postgresql', settings: target },
      tables: wholeTables(tables),
      parallel: 3,
    });
  }

  /** Both data sources' settings, over the network. */
  get settings() {
    const { ports } = this.network;
    return [this.source, this.target].map(({ url }, side) => ({
      ...settingsOf(url),
      host: '127.0.0.1',
      port: ports[side] ?? 0,
    }));
  }

  /** Users begin to write, with sessions that have no options. */
  write(): Users {
    const url = new URL(this.source.url);
    url.search = '';
    this.#users = new Users(url.href, this.#random, (error) => this.giveUp(error));
    return this.#users;
  }

  /** One transaction of our own alongside those of the users, retried when it conflicts with one of them. */
  async writeLarge(statements: string): Promise<void> {
    for (;;) {
      try {
        await this.source.change(`BEGIN; UPDATE pulse SET n = n + 1 WHERE id = ${ownPulse}; ${statements}; COMMIT`);
        return;
      } catch (error) {
        if (!isDeadlock(error)) throw error;
      }
    }
  }

  /**
   * A row that the target refuses, in a transaction of our own; it replaces the previous one, so there are only few.
   */
  async writeRefused(): Promise<void> {
    await this.target.ask(
      `ALTER TABLE public.reading DROP CONSTRAINT IF EXISTS refused;
      ALTER TABLE public.reading ADD CONSTRAINT refused CHECK (id > 0) NOT VALID`,
    );
    // A key that is already parked absorbs its changes: a different one each time.
    this.#refused++;
    await this.writeLarge(`DELETE FROM reading WHERE id < 0; INSERT INTO reading VALUES (${-this.#refused}, 0)`);
  }

  async stopUsers(): Promise<void> {
    await this.#users?.stop();
  }

  /** @param error why no further change will reach the target */
  giveUp(error: unknown): void {
    this.#givingUp.reject(error);
  }

  /** The result of `work`. @throws when the job gives up before */
  whileGoing<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.#givingUp.promise]);
  }

  /** Checks the target after each commit of the job, until the condition holds. */
  async until(isThere: () => Promise<boolean>): Promise<void> {
    try {
      for (;;) {
        const committed = this.network.nextCommit();
        if (await isThere()) return;
        await this.#balance();
        await this.whileGoing(committed);
      }
    } finally {
      this.#users?.goOn();
    }
  }

  /** Waits for a message that the network holds. */
  async untilHeld<Held>(held: Promise<Held>): Promise<Held> {
    const isHeld = held.then(() => true);
    try {
      for (;;) {
        const isCommitted = this.network.nextCommit().then(() => false);
        if (await this.whileGoing(Promise.race([isHeld, isCommitted]))) return await held;
        await this.#balance();
      }
    } finally {
      this.#users?.goOn();
    }
  }

  /** On a starved machine users write more than the job transfers: the backlog would grow endlessly. */
  async #balance(): Promise<void> {
    const inFlight = await this.inFlight();
    if (inFlight > mostInFlight) this.#users?.holdBack();
    else if (inFlight <= fewInFlight) this.#users?.goOn();
  }

  /** Until every table is live, by the mark at the target. */
  untilLive(): Promise<void> {
    const live = `SELECT count(*)::int FROM millrace.millrace_table WHERE content::json ->> 'state' = 'live'`;
    return this.until(async () => (await this.#atTarget(live)) === tables.length);
  }

  /** Until the target has a change that is made now. */
  async untilCaughtUp(): Promise<void> {
    await this.source.ask(`UPDATE pulse SET n = n + 1 WHERE id = ${ownPulse}`);
    const pulse = `SELECT n::int FROM public.pulse WHERE id = ${ownPulse}`;
    const [[wanted] = []] = await this.source.ask(pulse);
    await this.until(async () => (await this.#atTarget(pulse)) === wanted);
  }

  /**
   * User transactions that only one side shows: in progress, or at the target before they are visible at the source.
   */
  async inFlight(): Promise<number> {
    const sum = 'SELECT sum(n)::int FROM public.pulse';
    const there = await this.#atTarget(sum);
    const [[committed] = []] = await this.source.ask(sum);
    return Math.abs(Number(committed) - there);
  }

  /** @returns how many user transactions are in flight, once there is one */
  async untilInFlight(): Promise<number> {
    for (;;) {
      const inFlight = await this.whileGoing(this.inFlight());
      if (inFlight > 0) return inFlight;
    }
  }

  /** Rows of both sides, hashed by each server itself, once the users have stopped and the job has caught up. */
  async hashes(): Promise<{ source: string[]; target: string[] }> {
    await this.stopUsers();
    // When it is deleted, a parked row is no longer parked.
    await this.source.ask('DELETE FROM reading WHERE id < 0');
    await this.untilLive();
    await this.untilCaughtUp();
    const source = await hash(this.source);
    // A row that is read again follows its batch.
    for (let looks = 0; looks < 10; looks++) {
      const committed = this.network.nextCommit();
      const target = await hash(this.target);
      if (String(target) === String(source)) return { source, target };
      await this.whileGoing(committed);
    }
    return { source, target: await hash(this.target) };
  }

  /** A killed job's leftovers would retain the whole server's log. */
  async dropSlots(): Promise<void> {
    await dropSlots((sql) => this.source.ask(sql));
  }

  async close(): Promise<void> {
    await this.stopUsers();
    await this.network.close();
    await Promise.all([this.source.close(), this.target.close()]);
  }

  /** A number; 0 when the job has not created the table yet. */
  async #atTarget(sql: string): Promise<number> {
    try {
      const [[number] = []] = await this.target.ask(sql);
      return Number(number ?? 0);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return 0;
    }
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42P01';

async function hash(database: TestDatabase): Promise<string[]> {
  const hashes: string[] = [];
  for (const name of tables) {
    const [[text] = []] = await database.ask(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) FROM public.${name} t`,
    );
    hashes.push(`${name} ${text}`);
  }
  return hashes;
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
