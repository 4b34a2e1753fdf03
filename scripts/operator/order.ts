import { z } from 'zod';
import { minuteOf } from '../../client/contract/dates.ts';
import { money } from '../../client/contract/money.ts';
import { licenceSigningKey } from '../../server/console/licensing/licence-key.ts';
import { orderColumns, orderRow } from '../../server/console/licensing/order-row.ts';
import { closeOrder, completeOrder } from '../../server/console/licensing/orders.ts';
import { tellOrderClosed } from '../../server/console/licensing/tell-order-closed.ts';
import { settlePage } from '../../server/console/saas/fulfil-checkout.ts';
import { mostListed, printNewest, requireStatus, runCommand, UsageError } from './open-console.ts';

const usage = `npm run order -- list [WAIT_PAY|PAID|ISSUED|CLOSED]  orders, the newest first
npm run order -- confirm <order|reference>   records the payment and issues the licence
npm run order -- close <order|reference>     cancels an unpaid order and returns its credits`;

const [action = 'list', which = ''] = process.argv.slice(2);
const orderWithOwner = orderRow.extend({ email: z.string().nullable() });

await runCommand(usage, async (services) => {
  const { database } = services;
  if (action === 'list') {
    requireStatus(which, orderRow.shape.status.options);
    const orders = await database.all(
      orderWithOwner,
      `SELECT ${orderColumns
        .split(', ')
        .map((column) => `o.${column}`)
        .join(', ')}, account.email FROM licence_order o JOIN account ON account.uid = o.uid
       WHERE ($1 = '' OR o.status = $1) ORDER BY o.created_at DESC LIMIT ${mostListed(which)}`,
      [which],
    );
    return printNewest(
      orders.map((order) => ({
        order: order.id,
        reference: order.reference,
        status: order.status,
        owner: order.email ?? order.uid,
        edition: order.edition,
        links: order.links,
        total: money(order.total, 'USD'),
        by: order.pay_method,
        made: minuteOf(order.created_at),
      })),
      which,
      'a status',
    );
  }
  if (action !== 'confirm' && action !== 'close') throw new UsageError(`There is no action “${action}”.`);
  const order = await database.one(
    orderRow,
    `SELECT ${orderColumns} FROM licence_order WHERE id = $1 OR reference = $2`,
    [which, which.toUpperCase()],
  );
  if (!order) throw new UsageError(`There is no order “${which}”.`);
  // A damaged key must not end the page on which the order could still be paid.
  const signing = await licenceSigningKey(services);
  if (order.status === 'WAIT_PAY' && (await settlePage(services, order.pay_session)))
    throw new UsageError(`Order ${order.reference} was paid by card, so nothing was changed.`);
  const done = await database.transaction(async (queries) => {
    if (action === 'confirm') return completeOrder(queries, services, signing, order.id, 'operator');
    const isClosed = await closeOrder(queries, services, order.id, 'operator');
    if (isClosed)
      await tellOrderClosed(queries, services, order, `We closed order ${order.reference}, which was not paid.`);
    return isClosed;
  });
  if (!done) {
    const isLate = action === 'confirm' && order.status === 'CLOSED';
    const advice = isLate ? ' Its owner can place it again; then confirm the new order.' : '';
    throw new UsageError(`Order ${order.reference} is ${order.status}, so nothing was changed.${advice}`);
  }
  console.log(`Order ${order.reference} is ${action === 'confirm' ? 'ISSUED' : 'CLOSED'}.`);
});
