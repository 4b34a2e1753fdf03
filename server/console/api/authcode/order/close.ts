import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import { ConsoleError } from '../../../errors.ts';
import { closeOrder as close, orderOf } from '../../../licensing/orders.ts';
import { endPayment } from '../../../saas/checkout.ts';
import { signedInCall } from '../../define-call.ts';
import { orderId } from './fields.ts';

const schema = z.strictObject({ orderId });

/** Closes an order that is awaiting payment; its credits are returned. */
export const closeOrder = signedInCall(calls.closeOrder, schema, async ({ session, body }, services) => {
  const { database } = services;
  const order = await orderOf(database, body.orderId, session.uid);
  await endPayment(services, order);
  const closed = await database.transaction((queries) => close(queries, services, order.id, 'owner'));
  if (!closed) throw new ConsoleError('ORDER_STATE');
  return { orderId: order.id, status: 'CLOSED' };
});
