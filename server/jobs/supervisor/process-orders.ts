import { type JobRow, move } from '../jobs.ts';
import { allOrders, messageOf, type OrderRow, removeOrders, removeOrdersOf, retriesOf } from '../orders.ts';
import { sharesPlaces } from '../pool.ts';
import type { RowServices } from '../readable-rows.ts';
import type { Child } from './child.ts';

/** A job process, as far as it takes orders. */
export interface OrderTaker {
  job: Pick<JobRow, 'type'>;
  child: Pick<Child, 'isStopping' | 'send'>;
  /** What a complete job runs for; its process got it at its start, and takes nothing else. */
  retries: readonly OrderRow[] | undefined;
  /** Orders that the process got; they are kept until it has carried them out, or for the next process. */
  sent: Set<number>;
}

/** Hands each process the orders for its tables, once. @param running the processes by job id */
export async function passOrders(services: RowServices, running: ReadonlyMap<number, OrderTaker>): Promise<void> {
  const orders = await allOrders(services);
  for (const order of orders) {
    const taker = running.get(order.job_id);
    if (!taker || taker.retries || taker.child.isStopping || taker.sent.has(order.id)) continue;
    // A full copy reads rows as they were when it began: once it is complete, they are retried as they are then.
    const isKept = order.action === 'retry' && sharesPlaces(taker.job);
    taker.child.send(messageOf(order, !isKept));
    taker.sent.add(order.id);
  }
  const left = new Set(orders.map(({ id }) => id));
  for (const { sent } of running.values()) for (const id of sent) if (!left.has(id)) sent.delete(id);
}

/**
 * Removes the orders of a complete job, in the caller's transaction; if rows are still to be retried, the job is
 * started again.
 * @param carriedOut what its process ran for
 */
export async function completeOrders(
  services: RowServices,
  jobId: number,
  carriedOut: readonly OrderRow[],
): Promise<void> {
  const queries = services.database;
  await removeOrders(queries, carriedOut);
  // Orders that came while the process ended, or to a copy that read an older moment, are carried out now.
  const left = await retriesOf(services, jobId);
  if (left.length > 0) await move(queries, jobId, 'rows retried', { nextTryAt: null });
  else await removeOrdersOf(queries, jobId);
}
