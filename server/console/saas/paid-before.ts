import type Stripe from 'stripe';
import type { ConsoleServices } from '../services.ts';
import { withCustomer } from './customer.ts';
import type { Payments } from './stripe.ts';

/** What the payment of an invoice says of it at the payment service. @param month YYYY-MM, of a monthly invoice */
export function metadataOf({ id, number, month }: { id: string; number: string; month: string | null }) {
  return { invoiceId: id, number, ...(month !== null && { month }) };
}

/**
 * The payment of an account's invoice for a month, if it was made before: a store that was restored from an older backup
 * makes that invoice again.
 * @param month YYYY-MM
 */
export function findPaidBefore(
  services: ConsoleServices,
  payments: Payments,
  uid: string,
  month: string,
): Promise<Stripe.PaymentIntent | undefined> {
  const since = Math.floor(Date.parse(month) / 1_000);
  return withCustomer(services, payments, uid, async (customer) => {
    const made = payments.stripe.paymentIntents.list({ customer, created: { gte: since }, limit: 100 });
    for await (const payment of made) {
      const { status, metadata } = payment;
      if (status === 'succeeded' && metadata.uid === uid && metadata.month === month) return payment;
    }
    return undefined;
  });
}
