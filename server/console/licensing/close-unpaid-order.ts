import { mailOwner } from '../account/mail-owner.ts';
import { composeMail } from '../messages/compose.ts';
import { settlePage } from '../saas/fulfil-checkout.ts';
import type { ConsoleServices } from '../services.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import type { OrderRow } from './order-row.ts';
import { closeOrder, orderOf } from './orders.ts';

/** Closes an order that was not paid within a day, and tells its owner; its key is the order's id. */
export const closeUnpaidOrder: TaskHandler = async (services, { key }) => {
  const order = await orderOf(services.database, key);
  // A payment made in time may not have been reported yet, if the server or its network was down.
  if (order.status === 'WAIT_PAY' && (await settlePage(services, order.pay_session))) return undefined;
  await services.database.transaction(async (queries) => {
    if (!(await closeOrder(queries, services, key, 'clock'))) return;
    await mailOwner(queries, services, { kind: 'order-closed', uid: order.uid }, (email) =>
      notice(services, email, order),
    );
  });
  return undefined;
};

/** A transfer can take longer than an order is kept: its money must not be lost without a word. */
function notice({ brand, config }: ConsoleServices, email: string, { id, reference, credits }: OrderRow) {
  const returned = credits > 0 ? ' The credits set aside for it are in your account again.' : '';
  return composeMail(email, brand.name, {
    subject: `Order ${reference} was closed`,
    paragraphs: [
      `No payment for order ${reference} arrived within 24 hours, so it was closed.${returned}`,
      `If you have already paid, write to ${brand.supportEmail} and name the order. Otherwise you can place a new one at any time.`,
    ],
    action: { label: 'Show the order', href: `${config.cloudAppUrl}/orders?order=${id}` },
  });
}
