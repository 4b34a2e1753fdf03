import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import type { CreatedOrder } from '../../../../../client/contract/console/orders.ts';
import { createOrder as create } from '../../../licensing/orders.ts';
import { transferOf } from '../../../licensing/transfer.ts';
import { paymentsOf, payOrderByCard } from '../../../saas/checkout.ts';
import { signedInCall } from '../../define-call.ts';

const schema = z.strictObject({
  quoteId: z.string().min(1).max(64),
  payMethod: z.enum(['STRIPE', 'BANK_TRANSFER'], 'Please choose a payment method.'),
});

/** Creates the order for a quote; a repeat with the same quote or key returns the same order. */
export const createOrder = signedInCall(
  calls.createOrder,
  schema,
  async ({ session, body, idempotencyKey }, services) => {
    if (body.payMethod === 'STRIPE') paymentsOf(services);
    const order = await create(services, session.uid, body.quoteId, body.payMethod, idempotencyKey);
    const transfer = transferOf(services, order);
    const page =
      order.status === 'WAIT_PAY' && order.pay_method === 'STRIPE' ? await payOrderByCard(services, order) : undefined;
    return {
      orderId: order.id,
      status: order.status,
      ...(page && { payUrl: page.url }),
      ...(transfer && { transfer }),
    } satisfies CreatedOrder;
  },
);
