import type { Queries } from '../../storage/database.ts';
import { mailOwner } from '../account/mail-owner.ts';
import { composeMail } from '../messages/compose.ts';
import { expirePageSoon } from '../saas/expire-page-soon.ts';
import type { ConsoleServices } from '../services.ts';
import { type OrderRow, orderColumns, orderRow } from './order-row.ts';
import { closeOrder } from './orders.ts';

/**
 * Closes the unpaid orders whose price deducts the value of a licence that is refunded, in the refund's transaction: they
 * would be paid with too little. Their owner is told why, and their payment pages expire.
 */
export async function closeOutdatedOrders(
  queries: Queries,
  services: ConsoleServices,
  licenceId: string,
): Promise<void> {
  const waiting = await queries.all(
    orderRow,
    `SELECT ${orderColumns} FROM licence_order WHERE old_licence = $1 AND status = 'WAIT_PAY' AND old_value > 0`,
    [licenceId],
  );
  for (const order of waiting) {
    if (!(await closeOrder(queries, services, order.id, 'refund'))) continue;
    services.log.info(
      { order: order.reference, uid: order.uid },
      'an unpaid order was closed, since it deducted the value of a licence that was refunded',
    );
    await expirePageSoon(queries, services.now(), order.pay_session);
    await mailOwner(queries, services, { kind: 'order-closed', uid: order.uid }, (email) =>
      notice(services, email, order),
    );
  }
}

function notice({ brand, config }: ConsoleServices, email: string, { reference, credits }: OrderRow) {
  const returned = credits > 0 ? ' The credits set aside for it are in your account again.' : '';
  return composeMail(email, brand.name, {
    subject: `Order ${reference} was closed`,
    paragraphs: [
      `The price of order ${reference} deducted what was left of your present licence. That licence has been refunded since, so the price no longer holds, and the order was closed.${returned}`,
      'If you still want the licence, please order it again: the price is then calculated anew.',
      `If you have already paid, write to ${brand.supportEmail} and name the order.`,
    ],
    action: { label: 'Order again', href: `${config.cloudAppUrl}/licences` },
  });
}
