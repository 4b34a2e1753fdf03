import type { TaskHandler } from '../tasks/task-handlers.ts';
import { closeOrder } from './orders.ts';

/** Closes an order that nobody paid within a day; its key is the order's id. */
export const closeUnpaidOrder: TaskHandler = async (services, { key }) => {
  await services.database.transaction((queries) => closeOrder(queries, services, key, 'clock'));
  return undefined;
};
