import { z } from 'zod';
import { limitKey } from '../../http/client-address.ts';
import { HttpError } from '../../http/errors.ts';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import type { ConsoleServices } from '../services.ts';

/** How many attempts a key has in a time window. */
export interface AttemptLimit {
  most: number;
  windowMs: number;
}

const counted = z.object({ count: z.number(), window_start: z.number() });

/**
 * Counts one attempt, in the store and before anything is compared: parallel attempts on several servers are all
 * counted.
 * @param key the limit's name and who is counted, e.g. a MAC of an address
 * @returns 0 when the attempt is allowed, else the seconds until the next one is
 */
export async function countAttempt(queries: Queries, key: string, limit: AttemptLimit, now: number): Promise<number> {
  const row = await queries.one(
    counted,
    `INSERT INTO attempt (key, window_start, count) VALUES ($1, $2, 1)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN attempt.window_start > $3 AND attempt.window_start <= $4 THEN attempt.count + 1 ELSE 1 END,
       window_start =
         CASE WHEN attempt.window_start > $3 AND attempt.window_start <= $4 THEN attempt.window_start ELSE $2 END
     RETURNING count, window_start`,
    // A window that begins so much later is from a clock that was set back since.
    [key, now, now - limit.windowMs, now + limit.windowMs],
  );
  if (!row || row.count <= limit.most) return 0;
  return Math.max(1, Math.ceil((row.window_start + limit.windowMs - now) / 1000));
}

/** The key of a limit that counts by address; for IPv6 by network, since one customer has a whole /64. */
export function keyOfAddress(secretKey: SecretKey, limit: string, address: string): string {
  return `${limit}:${secretKey.mac('attempt', limitKey(address) ?? address)}`;
}

/** Counts an attempt of an address. @throws HttpError TOO_MANY_REQUESTS with the seconds to wait */
export async function countByAddress(
  { database, secretKey, now }: Pick<ConsoleServices, 'database' | 'secretKey' | 'now'>,
  name: string,
  address: string,
  limit: AttemptLimit,
): Promise<void> {
  const wait = await countAttempt(database, keyOfAddress(secretKey, name, address), limit, now());
  if (wait > 0) throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
}

/** Uncounts an attempt that turned out to be right. */
export async function forgiveAttempt(queries: Queries, key: string): Promise<void> {
  await queries.run('UPDATE attempt SET count = count - 1 WHERE key = $1 AND count > 0', [key]);
}
