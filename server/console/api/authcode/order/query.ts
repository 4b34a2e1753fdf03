import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import { type Order, orderClosers } from '../../../../../client/contract/console/orders.ts';
import type { Queries } from '../../../../storage/database.ts';
import { orderColumns, orderRow } from '../../../licensing/order-row.ts';
import { transferOf } from '../../../licensing/transfer.ts';
import { usd } from '../../../money.ts';
import { payableByCardUntil } from '../../../saas/checkout.ts';
import { signedInCall } from '../../define-call.ts';
import { pageFields } from '../../fields.ts';
import { readListPage } from '../../read-list-page.ts';
import { orderId } from './fields.ts';

const schema = z.strictObject({
  ...pageFields,
  status: orderRow.shape.status.optional(),
  /** For a link to one order. */
  orderId: orderId.optional(),
});
const listedRow = orderRow.extend({ refunded: z.number() });
const eventRow = z.object({
  order_id: z.string(),
  status: orderRow.shape.status,
  actor: z.string(),
  at: z.number(),
});
const closer = z.enum(orderClosers);

/** The account's orders, newest first, each with its history; or one of them. */
export const queryOrders = signedInCall(calls.queryOrders, schema, async ({ session, body }, services) => {
  const { database } = services;
  const orders = await readListPage(
    database,
    {
      row: listedRow,
      columns: `${orderColumns}, (SELECT CAST(coalesce(sum(credit_note.amount), 0) AS BIGINT)
        FROM credit_note JOIN invoice ON invoice.id = invoice_id WHERE order_id = licence_order.id) AS refunded`,
      from: 'licence_order',
      where: `uid = $1 AND ($2 = '' OR status = $2) AND ($3 = '' OR id = $3)`,
      parameters: [session.uid, body.status ?? '', body.orderId ?? ''],
      orderBy: 'created_at DESC, id',
    },
    body,
  );
  const events = await eventsOf(
    database,
    orders.items.map(({ id }) => id),
  );
  const items = orders.items.map((order): Order => {
    const transfer = transferOf(services, order);
    const cardUntil = payableByCardUntil(services, order);
    const history = events.get(order.id) ?? [];
    const closedBy = closer.safeParse(history.find(({ status }) => status === 'CLOSED')?.actor).data;
    return {
      orderId: order.id,
      reference: order.reference,
      createdAt: order.created_at,
      status: order.status,
      edition: order.edition,
      links: order.links,
      from: order.from_at,
      to: order.to_at,
      total: usd(order.total),
      ...(transfer && { transfer }),
      ...(cardUntil !== undefined && { cardUntil }),
      ...(order.refunded > 0 && { refunded: usd(order.refunded) }),
      ...(closedBy && { closedBy }),
      events: history.map(({ status, at }) => ({ status, at })),
    };
  });
  return { ...orders, items };
});

/** The events of each order, oldest first. */
async function eventsOf(queries: Queries, orderIds: readonly string[]) {
  if (orderIds.length === 0) return new Map<string, z.infer<typeof eventRow>[]>();
  const events = await queries.all(
    eventRow,
    `SELECT order_id, status, actor, at FROM licence_order_event
     WHERE order_id IN (${orderIds.map((_, at) => `$${at + 1}`).join(', ')})
     ORDER BY at, CASE status WHEN 'WAIT_PAY' THEN 0 WHEN 'PAID' THEN 1 ELSE 2 END`,
    orderIds,
  );
  return Map.groupBy(events, (event) => event.order_id);
}
