import type { Transfer } from '../../../client/contract/console/orders.ts';
import { usd } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import type { OrderRow } from './order-row.ts';
import { payWithinMs } from './orders.ts';

/** Where to pay an order that is awaiting a transfer; payee and account come from the brand file. */
export function transferOf({ brand }: ConsoleServices, order: OrderRow): Transfer | undefined {
  if (order.pay_method !== 'BANK_TRANSFER' || order.status !== 'WAIT_PAY') return undefined;
  return {
    ...(brand.payee && { payee: brand.payee }),
    ...(brand.account && { account: brand.account }),
    reference: order.reference,
    amount: usd(order.total),
    until: order.created_at + payWithinMs,
  };
}
