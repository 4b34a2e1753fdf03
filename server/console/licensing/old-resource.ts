import { z } from 'zod';
import { editions, type OldResource } from '../../../client/contract/console/orders.ts';
import type { Queries } from '../../storage/database.ts';

const row = z.object({
  id: z.string(),
  edition: z.enum(editions),
  links: z.number(),
  from_at: z.number(),
  to_at: z.number(),
  value: z.number(),
});

const spanRow = row.pick({ from_at: true, to_at: true, value: true });

/** What is left of a licence at a time: milliseconds, and value in cents, rounded down. */
export function remainderOf(
  { from_at, to_at, value }: z.infer<typeof spanRow>,
  now: number,
): { remainMs: number; value: number } {
  const remainMs = Math.max(0, to_at - Math.max(now, from_at));
  return { remainMs, value: Math.floor((value * remainMs) / (to_at - from_at)) };
}

/** What is left of the value of a licence at a time, in cents, rounded down. */
export async function remainingValueOf(queries: Queries, licenceId: string, now: number): Promise<number> {
  const found = await queries.one(spanRow, 'SELECT from_at, to_at, value FROM licence WHERE id = $1', [licenceId]);
  return found ? remainderOf(found, now).value : 0;
}

/** The current licence of an account's installation, and its remaining value, rounded down to cents. */
export async function findOldLicence(
  queries: Queries,
  uid: string,
  installation: string,
  now: number,
): Promise<(OldResource & { id: string; value: number }) | undefined> {
  const found = await queries.one(
    row,
    `SELECT id, edition, links, from_at, to_at, value FROM licence
     WHERE uid = $1 AND installation = $2 AND to_at > $3 AND replaced_by IS NULL ORDER BY issued_at DESC, id LIMIT 1`,
    [uid, installation, now],
  );
  if (!found) return undefined;
  return {
    id: found.id,
    edition: found.edition,
    links: found.links,
    from: found.from_at,
    to: found.to_at,
    ...remainderOf(found, now),
  };
}
