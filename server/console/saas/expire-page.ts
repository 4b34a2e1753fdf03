import type { TaskHandler } from '../tasks/task-handler.ts';
import { settlePage } from './fulfil-checkout.ts';

/** Expires a page of the payment service for what was closed or made void; its key is the page's id there. */
export const expirePage: TaskHandler = async (services, { key }) => {
  await settlePage(services, key);
  return undefined;
};
