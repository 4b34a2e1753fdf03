import { z } from 'zod';
import { ConsoleError } from '../errors.ts';
import type { OrderRow } from '../licensing/orders.ts';
import { checkForCard } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import { askStripe, customerOf, type Payments } from './stripe.ts';

export interface CheckoutSession {
  sessionId: string;
  url: string;
}

const invoiceRow = z.object({ id: z.string(), number: z.string(), total: z.number() });

function answer({ id, url }: { id: string; url: string | null }): CheckoutSession {
  if (url === null) throw new ConsoleError('PAYMENT_FAILED');
  return { sessionId: id, url };
}

/** The operator's payment service. @throws ConsoleError PAYMENT_NOT_OFFERED where none is set up */
export function paymentsOf({ payments }: ConsoleServices): Payments {
  if (!payments) throw new ConsoleError('PAYMENT_NOT_OFFERED');
  return payments;
}

const back = ({ config }: ConsoleServices, page: string) => ({
  success_url: `${config.cloudAppUrl}/${page}?paid=1`,
  cancel_url: `${config.cloudAppUrl}/${page}`,
});

/** A page of the payment service that takes a card, for later or for the subscription. */
export async function setUpCard(
  services: ConsoleServices,
  uid: string,
  purpose: 'ADD_CARD' | 'SUBSCRIBE',
): Promise<CheckoutSession> {
  const payments = paymentsOf(services);
  const made = await askStripe(
    payments.stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'usd',
      customer: await customerOf(services, payments, uid),
      metadata: { uid, purpose },
      ...back(services, purpose === 'SUBSCRIBE' ? 'subscription' : 'payment-methods'),
    }),
  );
  return answer(made);
}

/** A page of the payment service where cards are changed and removed. */
export async function manageCards(services: ConsoleServices, uid: string): Promise<CheckoutSession> {
  const payments = paymentsOf(services);
  const made = await askStripe(
    payments.stripe.billingPortal.sessions.create({
      customer: await customerOf(services, payments, uid),
      return_url: `${services.config.cloudAppUrl}/payment-methods`,
    }),
  );
  return answer(made);
}

interface Payment {
  uid: string;
  what: string;
  cents: number;
  metadata: Record<string, string>;
  page: string;
  idempotencyKey: string;
}

async function pay(services: ConsoleServices, payment: Payment): Promise<CheckoutSession> {
  const payments = paymentsOf(services);
  const made = await askStripe(
    payments.stripe.checkout.sessions.create(
      {
        mode: 'payment',
        // Paid at once or not at all: of a debit nobody knows for days whether it comes.
        allowed_payment_method_types: ['card'],
        customer: await customerOf(services, payments, payment.uid),
        line_items: [
          {
            quantity: 1,
            price_data: { currency: 'usd', unit_amount: payment.cents, product_data: { name: payment.what } },
          },
        ],
        metadata: { uid: payment.uid, ...payment.metadata },
        ...back(services, payment.page),
      },
      { idempotencyKey: payment.idempotencyKey },
    ),
  );
  return answer(made);
}

/** A page of the payment service that pays an open invoice. @throws ConsoleError NO_INVOICE, TOO_LITTLE_FOR_CARD */
export async function payInvoiceByCard(
  services: ConsoleServices,
  uid: string,
  invoiceId: string,
): Promise<CheckoutSession> {
  const invoice = await services.database.one(
    invoiceRow,
    "SELECT id, number, total FROM invoice WHERE id = $1 AND uid = $2 AND status = 'OPEN'",
    [invoiceId, uid],
  );
  if (!invoice) throw new ConsoleError('NO_INVOICE');
  checkForCard(invoice.total);
  return pay(services, {
    uid,
    what: `Invoice ${invoice.number}`,
    cents: invoice.total,
    metadata: { purpose: 'PAY_INVOICE', invoiceId },
    page: 'invoices',
    idempotencyKey: `invoice-${invoiceId}`,
  });
}

/** A page of the payment service that pays an order; asked again it is the same one. */
export function payOrderByCard(services: ConsoleServices, order: OrderRow): Promise<CheckoutSession> {
  return pay(services, {
    uid: order.uid,
    what: `Licence, order ${order.reference}`,
    cents: order.total,
    metadata: { purpose: 'PAY_ORDER', orderId: order.id },
    page: 'orders',
    idempotencyKey: `order-${order.id}`,
  });
}
