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

/** How long to wait for the server, in milliseconds. */
export interface PostgresLimits {
  /** For a connection, including the wait for a free one. */
  connectMs: number;
  /** No statement of an account call takes this long; one that does is stuck. The server cancels it, … */
  statementMs: number;
  /** … or, if the server hangs, we stop waiting. */
  answerMs: number;
}

const shippedLimits: PostgresLimits = { connectMs: 5_000, statementMs: 7_000, answerMs: 8_000 };
const aloneMs = 30 * 60_000;
/** The server ends the lock, and any transaction with its row locks, of a process that stalls for this long. */
const stillMs = 20_000;
/** A lock's connection is probed this often; … */
const lockTurnMs = 2_000;
/** … and given up after this many turns without an answer, before the server can give the lock to another process. */
const silentTurns = 4;
/** A deadlock or serialisation failure is not a mistake: the transaction is retried. */
const transient = new Set(['40001', '40P01']);
const tries = 4;
/** An arbitrary number, the same in every process of the service. */
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
  // A broken idle connection is replaced on the next query. The error itself carries the connection, with its secrets.
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
      // Without parameters, one text may hold several statements.
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
    // A connection cut between two statements fails no query: without a listener, the event would crash the process.
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

  /** Runs on a separate connection that may take long: a migration does, and so does waiting for one. */
  async function alone<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ ...connection, statement_timeout: aloneMs, query_timeout: aloneMs });
    // The query that runs into it reports it.
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

/** A session lock on a separate connection: it ends with the process, however that ends. */
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
 * @throws StorageError if connections do not have their own sessions: a lock belongs to one, and would be anyone's
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
    // A pooler hands out the session that was returned last.
    const isTaken = (await pidOf(other)) === pid || (await pidOf(one)) !== pid;
    await other.query('ROLLBACK');
    return isTaken;
  };
  try {
    for (const client of [one, other]) {
      // The query that runs into it reports it.
      client.on('error', () => undefined);
      await client.connect();
    }
    // Another client may get it once.
    if ((await isShared()) || (await isShared())) throw new StorageError(sharedSessions);
  } catch (cause) {
    throw cause instanceof StorageError ? cause : silent(cause);
  } finally {
    for (const client of [one, other]) await client.end();
  }
}

const sharedSessions =
  'DATABASE_URL leads through a pooler that gives each transaction a different session, as pgbouncer does with pool_mode=transaction, but the lock of the server that runs jobs belongs to one session: set DATABASE_URL to PostgreSQL itself.';

async function takeLock(client: pg.Client, lock: number, answerMs: number): Promise<boolean> {
  // The pending query then fails.
  const stuck = setTimeout(() => void client.end(), answerMs);
  try {
    // The server releases the lock of a machine that is gone within seconds, not hours, even with an answer in transit.
    await client.query(`SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
      SET tcp_user_timeout = 11000; SET idle_session_timeout = ${stillMs}`);
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
    return rows[0]?.taken === true;
  } finally {
    clearTimeout(stuck);
  }
}

/**
 * Probes a connection that nothing else uses, since a cut network path does not report itself.
 * @param then called once it no longer answers
 * @returns stops probing
 */
function whenSilent(client: pg.Client, then: () => void): () => void {
  let turns = 0;
  const end = () => clearInterval(timer);
  const give = () => {
    end();
    then();
  };
  // Counts turns, not time: a process that was paused, as while its machine is moved, has answers to read first.
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
 * The server refuses every request for now: it is starting or stopping (57P), has no connections, memory or disk left
 * (53), accepts no connections to the database (55000, 3D000), rejects the password (28), or is read-only (25006), as a
 * standby is.
 */
const refusesAll = /^(?:57P|53|55000$|3D000$|28|25006$)/;
/** Of these, those that reject the password or do not know the database. */
const letsNobodyIn = /^(?:28|3D000$)/;
/** Of these, those for a full disk or a read-only server: it was reached. */
const takesNothing = /^(?:53100|25006)$/;

/** No connection, a lost one, no answer in time, or an error that has nothing to do with the query. */
function isSilence(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || refusesAll.test(error.code ?? '');
}

/** The error for a database that cannot be the store. */
export function unusableDatabase(cause: unknown): StorageError {
  const reason = errorMessage(cause);
  // PostgreSQL itself supports them all.
  if (reason.startsWith('unsupported startup parameter')) {
    return new StorageError(
      `DATABASE_URL leads through a pooler that does not pass on statement timeouts (${reason}): set DATABASE_URL to PostgreSQL itself.`,
      { cause },
    );
  }
  return new StorageError(
    `The database of DATABASE_URL cannot be used as a store (${reason}): use a separate database in which its user may create tables, or restore a backup with npm run restore.`,
    { cause },
  );
}

function silent(cause: unknown): StorageSilent {
  const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : '';
  const what = takesNothing.test(code) ? 'accepts no writes' : 'cannot be reached';
  const Kind = letsNobodyIn.test(code) ? StorageRefused : StorageSilent;
  // The words of the server or the system contain no password.
  return new Kind(`The database of DATABASE_URL ${what}: ${errorMessage(cause)}`, { cause });
}
