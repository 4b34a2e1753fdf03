import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { takeTurn } from '../account/take-turn.ts';
import type { ConsoleServices } from '../services.ts';
import { closeOutdatedOrders } from './close-outdated-orders.ts';
import { remainderOf } from './old-resource.ts';

const row = z.object({
  id: z.string(),
  order_id: z.string(),
  reference: z.string(),
  from_at: z.number(),
  to_at: z.number(),
  value: z.number(),
});

/**
 * Takes what was refunded of an order from the value left in its licence, or in the one that has replaced it, in the
 * caller's transaction: else the next order would deduct money that its owner has back. Unpaid orders that deduct it are
 * closed. The licence itself stays valid to its end, since installations verify its code offline.
 * @param amount cents
 */
export async function lowerLicenceValue(
  queries: Queries,
  services: ConsoleServices,
  uid: string,
  orderId: string,
  amount: number,
): Promise<void> {
  // Before reading: an order that is placed or paid meanwhile is seen, or sees the new value.
  await takeTurn(queries, uid);
  const licence = await queries.one(
    row,
    `WITH RECURSIVE heir (id) AS (
       SELECT id FROM licence WHERE order_id = $1
       UNION SELECT licence.replaced_by FROM licence JOIN heir ON licence.id = heir.id WHERE licence.replaced_by IS NOT NULL
     ) SELECT licence.id, order_id, reference, licence.from_at, licence.to_at, value
       FROM licence JOIN licence_order ON licence_order.id = order_id
       WHERE licence.id IN (SELECT id FROM heir) AND replaced_by IS NULL`,
    [orderId],
  );
  if (!licence) return;
  const { remainMs, value } = remainderOf(licence, services.now());
  const left = Math.max(0, value - amount);
  // Its value at its beginning, of which so much is left now.
  const whole = left > 0 ? Math.ceil((left * (licence.to_at - licence.from_at)) / remainMs) : 0;
  await queries.run('UPDATE licence SET value = $1 WHERE id = $2', [whole, licence.id]);
  // Their prices deduct the value as it was.
  await queries.run('DELETE FROM quote WHERE old_licence = $1', [licence.id]);
  await closeOutdatedOrders(queries, services, licence.id);
  if (licence.order_id !== orderId)
    services.log.warn(
      { order: licence.reference, uid },
      'a licence was refunded whose value a later order had already deducted: that order stays paid, and only the value left in its licence falls. If its owner has paid too little, ask for the difference',
    );
}
