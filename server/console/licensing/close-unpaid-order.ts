import { settlePage } from '../saas/fulfil-checkout.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { closeOrder, orderOf } from './orders.ts';
import { tellOrderClosed } from './tell-order-closed.ts';

/** Closes an order that was not paid within a day, and tells its owner; its key is the order's id. */
export const closeUnpaidOrder: TaskHandler = async (services, { key }) => {
  const order = await orderOf(services.database, key);
  // A payment made in time may not have been reported yet, if the server or its network was down.
  if (order.status === 'WAIT_PAY' && (await settlePage(services, order.pay_session))) return undefined;
  await services.database.transaction(async (queries) => {
    if (!(await closeOrder(queries, services, key, 'clock'))) return;
    const why = `No payment for order ${order.reference} arrived within 24 hours, so it was closed.`;
    await tellOrderClosed(queries, services, order, why);
  });
  return undefined;
};
