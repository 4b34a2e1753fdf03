import pg from 'pg';
import type { ZodType } from 'zod';
import type { Log } from '../log.ts';
import { checkRow, type Database, type Queries, type SqlValue, StorageTaken } from './database.ts';
import { endConnection } from './end-connection.ts';
import { isSilence, isTaken, isTransient, storageSilent } from './postgres-errors.ts';
import { shippedLimits } from './postgres-limits.ts';
import { holdLock } from './postgres-lock.ts';
import { driverUrl } from './postgres-url.ts';

const mostConnections = 10;
/** How long a migration may take, or wait for another process's. */
const aloneMs = 30 * 60_000;
/** How often a transaction is attempted that only its timing makes fail. */
const tries = 4;
/** Idle connections that are lost within this time of each other are one event for the log. */
const lossesMs = 10_000;
/** An arbitrary number, the same in every process of the service. */
const lockNumber = 7_121_964;

type Client = pg.Pool | pg.ClientBase;

/** Sends a statement. @throws StorageSilent, StorageTaken, or the driver's error for a mistake in it */
async function ask(client: Client, sql: string, parameters: readonly SqlValue[] = []) {
  try {
    return await client.query(sql, [...parameters]);
  } catch (error) {
    if (isSilence(error)) throw storageSilent(error);
    throw isTaken(error) ? new StorageTaken(error) : error;
  }
}

/** The queries of a connection, or of whichever the pool lends. */
const on = (client: Client): Queries => ({
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

/** Runs `work` and commits it; the caller rolls back. */
async function runTransaction<Result>(
  client: pg.ClientBase,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  await ask(client, 'BEGIN');
  const result = await work(on(client));
  await ask(client, 'COMMIT');
  return result;
}

/**
 * Connects to PostgreSQL 15 or later.
 * @param url `postgres://user:password@host:port/database`, with the driver's own parameters (`sslmode` …)
 */
export function openPostgres(url: string, log: Log, limits = shippedLimits): Database {
  const { connectMs, statementMs, answerMs, stallMs } = limits;
  const connection: pg.ClientConfig = {
    connectionString: driverUrl(url),
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
    idle_in_transaction_session_timeout: stallMs,
  });
  let toldAt = Number.NEGATIVE_INFINITY;
  // A broken idle connection is replaced on the next query.
  pool.on('error', (error) => {
    // A server that restarts ends all of them.
    if (performance.now() - toldAt < lossesMs) return;
    toldAt = performance.now();
    // The error itself carries the connection, with its secrets.
    log.warn({ err: storageSilent(error) }, 'idle connections to the database were lost');
  });

  async function attempt<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((cause: unknown) => {
      throw storageSilent(cause);
    });
    let broken: Error | undefined;
    // A connection cut between two statements fails no query: without a listener, the event would crash the process.
    const lose = (error: Error) => {
      broken = error;
    };
    client.on('error', lose);
    try {
      return await runTransaction(client, work);
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
      throw storageSilent(cause);
    });
    try {
      return await runTransaction(client, work);
    } finally {
      // An open transaction ends with its connection.
      await endConnection(client);
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
    hold: (lock) => holdLock(url, lock, limits),
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
