import pg from 'pg';
import { z } from 'zod';
import { StorageError } from './database.ts';
import { endConnection } from './end-connection.ts';
import { storageSilent } from './postgres-errors.ts';
import { shippedLimits } from './postgres-limits.ts';
import { driverUrl } from './postgres-url.ts';

const sharedSessions =
  'DATABASE_URL leads through a pooler that gives each transaction a different session, as pgbouncer does with pool_mode=transaction, but the lock of the server that runs jobs belongs to one session: set DATABASE_URL to PostgreSQL itself.';

/**
 * Checks that each connection to PostgreSQL has its own session: a lock belongs to one, and would be anyone's.
 * @throws StorageError if a pooler shares them
 * @throws StorageSilent
 */
export async function requireOwnSessions(url: string, { connectMs } = shippedLimits): Promise<void> {
  const options = {
    connectionString: driverUrl(url),
    connectionTimeoutMillis: connectMs,
    application_name: 'millrace-console',
  };
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
    throw cause instanceof StorageError ? cause : storageSilent(cause);
  } finally {
    for (const client of [one, other]) await endConnection(client);
  }
}
