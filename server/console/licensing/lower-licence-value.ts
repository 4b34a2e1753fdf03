import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { ConsoleServices } from '../services.ts';
import { remainderOf } from './old-resource.ts';

const row = z.object({ id: z.string(), from_at: z.number(), to_at: z.number(), value: z.number() });
const waitingRow = z.object({ reference: z.string() });

/**
 * Takes what was refunded of an order from the value left in its licence, or in the one that has replaced it, in the
 * caller's transaction: else the next order would deduct money that its owner has back. The licence itself stays valid
 * to its end, since installations verify its code offline.
 * @param amount cents
 */
export async function lowerLicenceValue(
  queries: Queries,
  { log, now }: ConsoleServices,
  orderId: string,
  amount: number,
): Promise<void> {
  const licence = await queries.one(
    row,
    `WITH RECURSIVE heir (id) AS (
       SELECT id FROM licence WHERE order_id = $1
       UNION SELECT licence.replaced_by FROM licence JOIN heir ON licence.id = heir.id WHERE licence.replaced_by IS NOT NULL
     ) SELECT id, from_at, to_at, value FROM licence WHERE id IN (SELECT id FROM heir) AND replaced_by IS NULL`,
    [orderId],
  );
  if (!licence) return;
  const { remainMs, value } = remainderOf(licence, now());
  const left = Math.max(0, value - amount);
  // Its value at its beginning, of which so much is left now.
  const whole = left > 0 ? Math.ceil((left * (licence.to_at - licence.from_at)) / remainMs) : 0;
  await queries.run('UPDATE licence SET value = $1 WHERE id = $2', [whole, licence.id]);
  // Their prices deduct the value as it was.
  await queries.run('DELETE FROM quote WHERE old_licence = $1', [licence.id]);
  const waiting = await queries.one(
    waitingRow,
    "SELECT reference FROM licence_order WHERE old_licence = $1 AND status = 'WAIT_PAY' LIMIT 1",
    [licence.id],
  );
  if (waiting)
    log.warn(
      { order: waiting.reference },
      'an order that waits for its payment still deducts the value of a refunded licence: close it with npm run order -- close, so that its owner gets a new price',
    );
}
