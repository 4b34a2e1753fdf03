import { z } from 'zod';
import type { Log } from '../log.ts';
import type { Database } from '../storage/database.ts';

/** A task's lease lasts five minutes by the clock of the server that takes it. */
const mostMs = 60_000;

/** Warns if this machine's clock differs from that of the database, which all servers share. */
export async function compareClocks(database: Database, log: Log): Promise<void> {
  if (database.kind === 'sqlite') return;
  const sql = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS at';
  const { at = 0 } = (await database.one(z.object({ at: z.number() }), sql)) ?? {};
  const aheadMs = Date.now() - at;
  if (Math.abs(aheadMs) < mostMs) return;
  log.warn(
    { secondsAhead: Math.round(aheadMs / 1000) },
    'the clock of this machine differs from that of the database: set both by a time service, or two servers may do the same work',
  );
}
