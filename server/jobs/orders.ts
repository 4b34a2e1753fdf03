import { z } from 'zod';
import type { Order, Retry } from '../engine/protocol.ts';
import type { Queries } from '../storage/database.ts';
import { type RowServices, readableRows } from './readable-rows.ts';

const orderRow = z.object({
  id: z.number(),
  job_id: z.number(),
  table_id: z.string(),
  action: z.enum(['pause', 'resume', 'resync', 'retry']),
  parked_row: z.number().nullable(),
});
/** An operator's order for a table of a job, for its process. */
export type OrderRow = z.infer<typeof orderRow>;

const rows = { what: 'order', schema: orderRow } as const;
const columns = 'id, job_id, table_id, action, parked_row';

/** All orders for all jobs, in order of arrival; unreadable ones stay in the store and are not carried out. */
export function allOrders(services: RowServices): Promise<OrderRow[]> {
  return readableRows(services, rows, `SELECT ${columns} FROM job_order ORDER BY id`, []);
}

/** Parked rows of a job to retry. */
export function retriesOf(services: RowServices, jobId: number): Promise<OrderRow[]> {
  const sql = `SELECT ${columns} FROM job_order WHERE job_id = $1 AND action = 'retry' ORDER BY id`;
  return readableRows(services, rows, sql, [jobId]);
}

export async function removeOrders(queries: Queries, orders: readonly Pick<OrderRow, 'id'>[]): Promise<void> {
  for (const { id } of orders) await queries.run('DELETE FROM job_order WHERE id = $1', [id]);
}

/** They will not be carried out any more. */
export async function removeOrdersOf(queries: Queries, jobId: number): Promise<void> {
  await queries.run('DELETE FROM job_order WHERE job_id = $1', [jobId]);
}

export function retryOf({ table_id, parked_row }: OrderRow): Retry {
  return { id: table_id, row: parked_row };
}

/** The message to the job process. @param isTold whether it reports when it has carried out the order */
export function messageOf(order: OrderRow, isTold: boolean): Order {
  const number = isTold ? { order: order.id } : {};
  if (order.action === 'retry') return { kind: 'retry', ...retryOf(order), ...number };
  return { kind: 'table', id: order.table_id, action: order.action, ...number };
}
