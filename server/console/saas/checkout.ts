import { z } from 'zod';
import { ConsoleError } from '../errors.ts';
import type { OrderRow } from '../licensing/order-row.ts';
import { payWithinMs } from '../licensing/orders.ts';
import { checkForCard } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import { reconcileCharge } from './collect-invoice.ts';
import { withCustomer } from './customer.ts';
import { fulfilPaid, settlePage } from './fulfil-checkout.ts';
import { metadataOf } from './paid-before.ts';
import { scheduleCheckoutPoll } from './poll-checkout.ts';
import { askAboutKnown, askStripe, type Payments } from './stripe.ts';

export interface CheckoutSession {
  sessionId: string;
  url: string;
}

const invoiceRow = z.object({
  id: z.string(),
  uid: z.string(),
  number: z.string(),
  month: z.string().nullable(),
  total: z.number(),
  pay_session: z.string().nullable(),
  payment_intent: z.string().nullable(),
});

const subscribingRow = z.object({ subscribe_session: z.string() });

function answer({ id, url }: { id: string; url: string | null }): CheckoutSession {
  if (url === null) throw new ConsoleError('PAYMENT_FAILED');
  return { sessionId: id, url };
}

/** The operator's payment service. @throws ConsoleError PAYMENT_NOT_OFFERED if none is set up */
export function paymentsOf({ payments }: ConsoleServices): Payments {
  if (!payments) throw new ConsoleError('PAYMENT_NOT_OFFERED');
  return payments;
}

/** Only cards can be charged later, and they pay at once or not at all: the outcome of a debit is unknown for days. */
const cardsAlone = { allowed_payment_method_types: ['card' as const] };

const back = ({ config }: ConsoleServices, page: string) => ({
  success_url: `${config.cloudAppUrl}/${page}?paid=1`,
  cancel_url: `${config.cloudAppUrl}/${page}`,
});

/** What a page for entering a card is for. */
interface CardPage {
  uid: string;
  purpose: 'ADD_CARD' | 'SUBSCRIBE';
  page: string;
  idempotencyKey?: string;
}

async function cardPage(
  services: ConsoleServices,
  { uid, purpose, page, idempotencyKey }: CardPage,
): Promise<CheckoutSession> {
  const payments = paymentsOf(services);
  const made = await withCustomer(services, payments, uid, (customer, anew) =>
    payments.stripe.checkout.sessions.create(
      {
        mode: 'setup',
        ...cardsAlone,
        currency: 'usd',
        customer,
        metadata: { uid, purpose },
        ...back(services, page),
      },
      // The service refuses a key that it knows with another customer.
      idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-${customer}${anew}` },
    ),
  );
  return answer(made);
}

/** A page of the payment service for entering a card for later. */
export function addCard(services: ConsoleServices, uid: string): Promise<CheckoutSession> {
  return cardPage(services, { uid, purpose: 'ADD_CARD', page: 'payment-methods' });
}

/**
 * A page of the payment service for entering the card of a subscription; a repeat returns the same page while it is
 * open, since each page is looked at until it is over.
 */
export async function subscribeOnPage(services: ConsoleServices, uid: string): Promise<CheckoutSession> {
  const { database, now } = services;
  const known = await database.one(
    subscribingRow,
    'SELECT subscribe_session FROM stripe_customer WHERE uid = $1 AND subscribe_session IS NOT NULL',
    [uid],
  );
  const before = known?.subscribe_session;
  const { sessions } = paymentsOf(services).stripe.checkout;
  const last = before === undefined ? undefined : await askAboutKnown(sessions.retrieve(before));
  if (last?.status === 'open') return answer(last);
  const made = await cardPage(services, {
    uid,
    purpose: 'SUBSCRIBE',
    page: 'subscription',
    idempotencyKey: before === undefined ? `subscribe-${uid}` : `subscribe-${uid}-${before}`,
  });
  await scheduleCheckoutPoll(database, made.sessionId, now());
  await database.run('UPDATE stripe_customer SET subscribe_session = $1 WHERE uid = $2', [made.sessionId, uid]);
  return made;
}

/** A page of the payment service for changing and removing cards. */
export async function manageCards(services: ConsoleServices, uid: string): Promise<CheckoutSession> {
  const payments = paymentsOf(services);
  const made = await withCustomer(services, payments, uid, (customer) =>
    payments.stripe.billingPortal.sessions.create({
      customer,
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
  /** When the page expires, in epoch milliseconds; after a day by default. */
  until?: number;
}

async function pay(services: ConsoleServices, payment: Payment): Promise<CheckoutSession> {
  const payments = paymentsOf(services);
  const metadata = { uid: payment.uid, ...payment.metadata };
  const made = await withCustomer(services, payments, payment.uid, (customer, anew) =>
    payments.stripe.checkout.sessions.create(
      {
        mode: 'payment',
        ...cardsAlone,
        customer,
        line_items: [
          {
            quantity: 1,
            price_data: { currency: 'usd', unit_amount: payment.cents, product_data: { name: payment.what } },
          },
        ],
        metadata,
        // The payment is found by it even if the page is forgotten.
        payment_intent_data: { metadata },
        ...(payment.until !== undefined && { expires_at: Math.floor(payment.until / 1_000) }),
        ...back(services, payment.page),
      },
      { idempotencyKey: payment.idempotencyKey + anew },
    ),
  );
  return answer(made);
}

/**
 * A page of the payment service that pays an open invoice; a repeat returns the same page while it can still be paid.
 * @throws ConsoleError NO_INVOICE, TOO_LITTLE_FOR_CARD, TOO_MUCH_FOR_CARD
 */
export async function payInvoiceByCard(
  services: ConsoleServices,
  uid: string,
  invoiceId: string,
): Promise<CheckoutSession> {
  const invoice = await services.database.one(
    invoiceRow,
    "SELECT id, uid, number, month, total, pay_session, payment_intent FROM invoice WHERE id = $1 AND uid = $2 AND status = 'OPEN'",
    [invoiceId, uid],
  );
  if (!invoice) throw new ConsoleError('NO_INVOICE');
  checkForCard(invoice.total);
  if (await reconcileCharge(services, invoice)) throw new ConsoleError('NO_INVOICE');
  const before = invoice.pay_session;
  const open = await openPage(services, before, 'NO_INVOICE');
  if (open) return open;
  const session = await pay(services, {
    uid,
    what: `Invoice ${invoice.number}`,
    cents: invoice.total,
    metadata: { purpose: 'PAY_INVOICE', ...metadataOf(invoice) },
    page: 'invoices',
    idempotencyKey: before === null ? `invoice-${invoiceId}` : `invoice-${invoiceId}-${before}`,
  });
  const note = "UPDATE invoice SET pay_session = $1 WHERE id = $2 AND status = 'OPEN'";
  return notePage(services, session, { note, id: invoiceId, refusal: 'NO_INVOICE' });
}

/**
 * The page that was opened before, if it can still be paid; a payment made there is processed.
 * @throws ConsoleError `refusal` if it was paid
 */
async function openPage(
  services: ConsoleServices,
  before: string | null,
  refusal: 'NO_INVOICE' | 'ORDER_STATE',
): Promise<CheckoutSession | undefined> {
  if (before === null) return undefined;
  const known = await askAboutKnown(paymentsOf(services).stripe.checkout.sessions.retrieve(before));
  if (!known) return undefined;
  if (known.status === 'open') return answer(known);
  if (await fulfilPaid(services, known)) throw new ConsoleError(refusal);
  return undefined;
}

/**
 * Stores a page with what it pays. The page is expired if that was paid or closed before the page was known.
 * @throws ConsoleError `refusal` in that case
 */
async function notePage(
  services: ConsoleServices,
  session: CheckoutSession,
  { note, id, refusal }: { note: string; id: string; refusal: 'NO_INVOICE' | 'ORDER_STATE' },
): Promise<CheckoutSession> {
  await scheduleCheckoutPoll(services.database, session.sessionId, services.now());
  if ((await services.database.run(note, [session.sessionId, id])) === 1) return session;
  await askStripe(paymentsOf(services).stripe.checkout.sessions.expire(session.sessionId));
  throw new ConsoleError(refusal);
}

/** A payment made in time is reported before the order closes automatically. */
const tellWithinMs = 3_600_000;
const pageExpiresAt = (order: OrderRow) => order.created_at + payWithinMs - tellWithinMs;
/** The payment service creates no page that expires within half an hour of its own clock. */
const shortestPageMs = 31 * 60_000;
const newPageUntil = (order: OrderRow) => pageExpiresAt(order) - shortestPageMs;

/** Until when a card can pay an order, in epoch milliseconds; undefined if none can. */
export function payableByCardUntil({ payments, now }: ConsoleServices, order: OrderRow): number | undefined {
  const until = order.pay_session === null ? newPageUntil(order) : pageExpiresAt(order);
  const isPayable = payments && order.status === 'WAIT_PAY' && order.pay_method === 'STRIPE' && now() < until;
  return isPayable ? until : undefined;
}

/**
 * A page of the payment service that pays an order; a repeat returns the same page while it can still be paid.
 * @throws ConsoleError PAYMENT_NOT_OFFERED if the operator accepts no cards, ORDER_STATE if it is paid or none can pay it
 * any more
 */
export async function payOrderByCard(services: ConsoleServices, order: OrderRow): Promise<CheckoutSession> {
  if (payableByCardUntil(services, order) === undefined)
    throw new ConsoleError(services.payments ? 'ORDER_STATE' : 'PAYMENT_NOT_OFFERED');
  // It may have been paid, and the report of that be late.
  const before = order.pay_session;
  const open = await openPage(services, before, 'ORDER_STATE');
  if (open) return open;
  if (services.now() >= newPageUntil(order)) throw new ConsoleError('ORDER_STATE');
  const session = await pay(services, {
    uid: order.uid,
    what: `Licence, order ${order.reference}`,
    cents: order.total,
    metadata: { purpose: 'PAY_ORDER', orderId: order.id },
    page: 'orders',
    idempotencyKey: before === null ? `order-${order.id}` : `order-${order.id}-${before}`,
    until: pageExpiresAt(order),
  });
  // Meanwhile another tab may have chosen a transfer.
  const note =
    "UPDATE licence_order SET pay_session = $1 WHERE id = $2 AND status = 'WAIT_PAY' AND pay_method = 'STRIPE'";
  return notePage(services, session, { note, id: order.id, refusal: 'ORDER_STATE' });
}

/**
 * Expires the page that could still pay an order, before its owner closes it.
 * @throws ConsoleError ORDER_STATE if it was paid there
 */
export async function endPayment(services: ConsoleServices, { pay_session: page }: OrderRow): Promise<void> {
  if (await settlePage(services, page)) throw new ConsoleError('ORDER_STATE');
}
