import pg from 'pg';
import { type ZodType, z } from 'zod';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import {
  checkRow,
  type Database,
  type Held,
  type Queries,
  type SqlValue,
  StorageError,
  StorageRefused,
  StorageSilent,
  StorageTaken,
} from './database.ts';

const mostConnections = 10;

/** How long is waited for the server, in milliseconds. */
export interface PostgresLimits {
  /** For a connection, also of those that are all in use. */
  connectMs: number;
  /** No statement of an account call takes this long; one that does is stuck. The server ends it, … */
  statementMs: number;
  /** … or we the wait for a server that hangs. */
  answerMs: number;
}

const shippedLimits: PostgresLimits = { connectMs: 5_000, statementMs: 7_000, answerMs: 8_000 };
const aloneMs = 30 * 60_000;
/** The server ends a lock, and a transaction with the rows that it keeps, of a process that stands still for so long. */
const stillMs = 20_000;
/** The connection of a lock is asked something this often; … */
const lockTurnMs = 2_000;
/** … and given up after so many turns without an answer: before the server gives the lock to another process. */
const silentTurns = 4;
/** A deadlock or a serialisation failure is nobody's mistake: the transaction is tried again. */
const transient = new Set(['40001', '40P01']);
const tries = 4;
/** Any number, the same in every process of the service. */
const lockNumber = 7_121_964;

/**
 * Connects to PostgreSQL 15 or later.
 * @param url `postgres://user:password@host:port/database`, with the driver's own parameters (`sslmode` …)
 * @param limits tests on starved machines wait longer
 */
export function openPostgres(url: string, log: Log, limits = shippedLimits): Database {
  const { connectMs, statementMs, answerMs } = limits;
  const connection: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'millrace-console',
    types: {
      getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  };
  const pool = new pg.Pool({
    ...connection,
    max: mostConnections,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: stillMs,
  });
  // A broken idle connection is replaced at the next query. The error itself carries the connection, with its secrets.
  pool.on('error', (error) => log.warn({ err: silent(error) }, 'a connection to the database was lost'));

  async function ask(client: pg.Pool | pg.ClientBase, sql: string, parameters: readonly SqlValue[] = []) {
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      if (isSilence(error)) throw silent(error);
      throw isTaken(error) ? new StorageTaken(error) : error;
    }
  }

  const on = (client: pg.Pool | pg.ClientBase): Queries => ({
    async all<Row>(schema: ZodType<Row>, sql: string, parameters: readonly SqlValue[] = []) {
      const { rows } = await ask(client, sql, parameters);
      return rows.map((row: unknown) => checkRow(schema, row, sql));
    },
    async one<Row>(schema: ZodType<Row>, sql: string, parameters: readonly SqlValue[] = []) {
      const { rows } = await ask(client, sql, parameters);
      return rows.length === 0 ? undefined : checkRow(schema, rows[0], sql);
    },
    async run(sql, parameters = []) {
      return (await ask(client, sql, parameters)).rowCount ?? 0;
    },
    async script(sql) {
      // Without parameters several statements may be in one text.
      await ask(client, sql);
    },
  });

  async function begin<Result>(client: pg.ClientBase, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    await ask(client, 'BEGIN');
    const result = await work(on(client));
    await ask(client, 'COMMIT');
    return result;
  }

  async function attempt<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((cause: unknown) => {
      throw silent(cause);
    });
    let broken: Error | undefined;
    // Cut between two statements, it says so at no query: without a listener that would end the process.
    const lose = (error: Error) => {
      broken = error;
    };
    client.on('error', lose);
    try {
      return await begin(client, work);
    } catch (error) {
      await client.query('ROLLBACK').catch(lose);
      throw error;
    } finally {
      client.off('error', lose);
      client.release(broken);
    }
  }

  /** On a connection of its own that may take long: a migration does, and whoever waits for its end. */
  async function alone<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ ...connection, statement_timeout: aloneMs, query_timeout: aloneMs });
    // Told by the query that meets it.
    client.on('error', () => undefined);
    await client.connect().catch((cause: unknown) => {
      throw silent(cause);
    });
    try {
      return await begin(client, work);
    } finally {
      // An open transaction ends with its connection.
      await client.end();
    }
  }

  return {
    kind: 'postgres',
    ...on(pool),
    async transaction(work) {
      for (let left = tries; ; left -= 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (left === 1 || !isTransient(error)) throw error;
        }
      }
    },
    exclusively: (work) =>
      alone(async (queries) => {
        await queries.script(`SELECT pg_advisory_xact_lock(${lockNumber})`);
        return work(queries);
      }),
    hold: (lock) => hold(url, lock, { connectMs, answerMs }),
    async isHeld(lock) {
      const { rows } = await ask(
        pool,
        `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
         WHERE locktype = 'advisory' AND datname = current_database() AND classid = 0 AND objid = $1 AND objsubid = 1
           AND granted`,
        [lock],
      );
      return rows.length > 0;
    },
    close: () => pool.end(),
  };
}

/** A lock of the session of a connection of its own: it ends with the process, however that ends. */
async function hold(
  url: string,
  lock: number,
  { connectMs, answerMs }: Pick<PostgresLimits, 'connectMs' | 'answerMs'>,
): Promise<Held | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'millrace-lock',
    keepAlive: true,
  });
  const lost = new AbortController();
  const lose = () => lost.abort();
  client.on('error', lose);
  client.on('end', lose);
  await client.connect().catch((cause: unknown) => {
    throw silent(cause);
  });
  const taken = await takeLock(client, lock, answerMs).catch(async (cause: unknown) => {
    await client.end();
    throw silent(cause);
  });
  if (!taken) {
    await client.end();
    return undefined;
  }
  const stopAsking = whenSilent(client, () => {
    lose();
    void client.end();
  });
  return {
    lost: lost.signal,
    async release() {
      stopAsking();
      client.off('end', lose);
      await client.end();
    },
  };
}

/**
 * @throws StorageError where connections have no sessions of their own: a lock lives in one, and would be anybody's
 * @throws StorageSilent
 */
export async function requireOwnSessions(url: string, { connectMs } = shippedLimits): Promise<void> {
  const options = { connectionString: url, connectionTimeoutMillis: connectMs, application_name: 'millrace-console' };
  const [one, other] = [new pg.Client(options), new pg.Client(options)];
  const pidOf = async (client: pg.Client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return z.object({ pid: z.number() }).parse(rows[0]).pid;
  };
  const isShared = async () => {
    const pid = await pidOf(one);
    await other.query('BEGIN');
    // A pooler lends the session that it got back last.
    const isTaken = (await pidOf(other)) === pid || (await pidOf(one)) !== pid;
    await other.query('ROLLBACK');
    return isTaken;
  };
  try {
    for (const client of [one, other]) {
      // Told by the query that meets it.
      client.on('error', () => undefined);
      await client.connect();
    }
    // Somebody else may get it once.
    if ((await isShared()) || (await isShared())) throw new StorageError(sharedSessions);
  } catch (cause) {
    throw cause instanceof StorageError ? cause : silent(cause);
  } finally {
    for (const client of [one, other]) await client.end();
  }
}

const sharedSessions =
  'DATABASE_URL leads through a pooler that gives each transaction another session, as pgbouncer does with pool_mode=transaction, but the lock of the server that runs jobs lives in one: set DATABASE_URL to PostgreSQL itself.';

async function takeLock(client: pg.Client, lock: number, answerMs: number): Promise<boolean> {
  // What is being asked fails then.
  const stuck = setTimeout(() => void client.end(), answerMs);
  try {
    // The server gives the lock of a machine that is gone back within seconds, not hours, also with an answer on its way.
    await client.query(`SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
      SET tcp_user_timeout = 11000; SET idle_session_timeout = ${stillMs}`);
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
    return rows[0]?.taken === true;
  } finally {
    clearTimeout(stuck);
  }
}

/**
 * Asks a connection that nobody else uses, since a way that is cut says nothing of it.
 * @param then what happens once it does not answer any more
 * @returns ends the asking
 */
function whenSilent(client: pg.Client, then: () => void): () => void {
  let turns = 0;
  const end = () => clearInterval(timer);
  const give = () => {
    end();
    then();
  };
  // By turns and not by time: a process that stood still, as while its machine is moved, has answers to read first.
  const turn = () => {
    turns += 1;
    if (turns > silentTurns) return give();
    if (turns > 1) return;
    client.query('SELECT').then(() => {
      turns = 0;
    }, give);
  };
  const timer = setInterval(turn, lockTurnMs).unref();
  return end;
}

function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && transient.has(error.code);
}

function isTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/**
 * Where the server refuses whatever it is asked, for now: it starts or ends (57P), has no connection, memory or disk
 * left (53), takes no connections to the database (55000, 3D000), does not know the password (28), or only reads (25006),
 * as a standby does.
 */
const refusesAll = /^(?:57P|53|55000$|3D000$|28|25006$)/;
/** Of these, where it knows neither the password nor the database. */
const letsNobodyIn = /^(?:28|3D000$)/;
/** Of these, where it has no room on its disk or only reads: it was reached. */
const takesNothing = /^(?:53100|25006)$/;

/** No connection, a lost one, no answer in time, or one that has nothing to do with what was asked. */
function isSilence(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || refusesAll.test(error.code ?? '');
}

/** What is thrown where a database cannot be the store. */
export function unusableDatabase(cause: unknown): StorageError {
  const reason = errorMessage(cause);
  // PostgreSQL itself knows them all.
  if (reason.startsWith('unsupported startup parameter')) {
    return new StorageError(
      `DATABASE_URL leads through a pooler that does not pass on how long statements may take (${reason}): set DATABASE_URL to PostgreSQL itself.`,
      { cause },
    );
  }
  return new StorageError(
    `The database of DATABASE_URL cannot be used as a store (${reason}): give it a database of its own in which its user may create tables, or put back a backup by npm run restore.`,
    { cause },
  );
}

function silent(cause: unknown): StorageSilent {
  const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : '';
  const what = takesNothing.test(code) ? 'takes nothing' : 'cannot be reached';
  const Kind = letsNobodyIn.test(code) ? StorageRefused : StorageSilent;
  // The server's or the system's own words hold no password.
  return new Kind(`The database of DATABASE_URL ${what}: ${errorMessage(cause)}`, { cause });
}
