import pg from 'pg';
import type { Held } from './database.ts';
import { endConnection } from './end-connection.ts';
import { storageSilent } from './postgres-errors.ts';
import type { PostgresLimits } from './postgres-limits.ts';
import { driverUrl } from './postgres-url.ts';

/** A lock's connection is probed this often; … */
const lockTurnMs = 2_000;
/** … and given up after this many turns without an answer, before the server can give the lock to another process. */
const silentTurns = 4;

/**
 * Takes a session lock on a separate connection: it ends with the process, however that ends.
 * @returns undefined if another process holds it
 * @throws StorageSilent
 */
export async function holdLock(
  url: string,
  lock: number,
  { connectMs, answerMs, stallMs }: PostgresLimits,
): Promise<Held | undefined> {
  const client = new pg.Client({
    connectionString: driverUrl(url),
    connectionTimeoutMillis: connectMs,
    application_name: 'millrace-lock',
    keepAlive: true,
  });
  const lost = new AbortController();
  const lose = () => lost.abort();
  client.on('error', lose);
  client.on('end', lose);
  await client.connect().catch((cause: unknown) => {
    throw storageSilent(cause);
  });
  const taken = await takeLock(client, lock, answerMs, stallMs).catch(async (cause: unknown) => {
    await endConnection(client);
    throw storageSilent(cause);
  });
  if (!taken) {
    await endConnection(client);
    return undefined;
  }
  const stopAsking = whenSilent(client, () => {
    lose();
    void endConnection(client);
  });
  return {
    lost: lost.signal,
    async release() {
      stopAsking();
      client.off('end', lose);
      await endConnection(client);
    },
  };
}

async function takeLock(client: pg.Client, lock: number, answerMs: number, stallMs: number): Promise<boolean> {
  // The pending query then fails.
  const stuck = setTimeout(() => void endConnection(client), answerMs);
  try {
    // The server releases the lock of a machine that is gone within seconds, not hours, even with an answer in transit.
    await client.query(`SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
      SET tcp_user_timeout = 11000; SET idle_session_timeout = ${stallMs}`);
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
  const giveUp = () => {
    end();
    then();
  };
  // Counts turns, not time: a process that was paused, as while its machine is moved, has answers to read first.
  const turn = () => {
    turns += 1;
    if (turns > silentTurns) return giveUp();
    if (turns > 1) return;
    client.query('SELECT').then(() => {
      turns = 0;
    }, giveUp);
  };
  const timer = setInterval(turn, lockTurnMs).unref();
  return end;
}
