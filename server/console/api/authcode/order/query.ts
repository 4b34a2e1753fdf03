import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import type { Order } from '../../../../../client/contract/console/orders.ts';
import { orderColumns, orderRow } from '../../../licensing/orders.ts';
import { transferOf } from '../../../licensing/transfer.ts';
import { usd } from '../../../money.ts';
import { signedInCall } from '../../define-call.ts';
import { pageFields } from '../../fields.ts';

const schema = z.strictObject({ ...pageFields, status: orderRow.shape.status.optional() });
const countRow = z.object({ n: z.number() });
const eventRow = z.object({ order_id: z.string(), status: orderRow.shape.status, at: z.number() });

/** The account's orders, the newest first, each with its history. */
export const queryOrders = signedInCall(calls.queryOrders, schema, async ({ session, body }, services) => {
  const { database } = services;
  const where = `uid = $1 AND ($2 = '' OR status = $2)`;
  const parameters = [session.uid, body.status ?? ''];
  const count = await database.one(countRow, `SELECT count(*) AS n FROM licence_order WHERE ${where}`, parameters);
  const orders = await database.all(
    orderRow,
    `SELECT ${orderColumns} FROM licence_order WHERE ${where} ORDER BY created_at DESC, id LIMIT $3 OFFSET $4`,
    [...parameters, body.pageSize, (body.page - 1) * body.pageSize],
  );
  const events = await database.all(
    eventRow,
    `SELECT event.order_id, event.status, event.at FROM licence_order_event event
     JOIN licence_order ON licence_order.id = event.order_id WHERE licence_order.uid = $1 ORDER BY event.at, event.id`,
    [session.uid],
  );
  const items = orders.map((order): Order => {
    const transfer = transferOf(services, order);
    return {
      orderId: order.id,
      createdAt: order.created_at,
      status: order.status,
      edition: order.edition,
      links: order.links,
      from: order.from_at,
      to: order.to_at,
      total: usd(order.total),
      ...(transfer && { transfer }),
      events: events.filter((event) => event.order_id === order.id).map(({ status, at }) => ({ status, at })),
    };
  });
  return { total: count?.n ?? 0, items };
});
