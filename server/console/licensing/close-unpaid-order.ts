import { settlePage } from '../saas/take-in-checkout.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';
import { closeOrder, orderOf } from './orders.ts';

/** Closes an order that was not paid within a day; its key is the order's id. */
export const closeUnpaidOrder: TaskHandler = async (services, { key }) => {
  const order = await orderOf(services.database, key);
  // A payment made in time may not have been reported yet, if the server or its network was down.
  if (order.status === 'WAIT_PAY' && (await settlePage(services, order.pay_session))) return undefined;
  await services.database.transaction((queries) => closeOrder(queries, services, key, 'clock'));
  return undefined;
};
