import type Stripe from 'stripe';
import { z } from 'zod';
import { money } from '../../../client/contract/money.ts';
import type { Queries } from '../../storage/database.ts';
import { existenceOf } from '../account/accounts.ts';
import { takeTurn } from '../account/take-turn.ts';
import { payInvoice } from '../billing/invoices.ts';
import { licenceSigningKey, type SigningKey } from '../licensing/licence-key.ts';
import { completeOrder } from '../licensing/orders.ts';
import type { ConsoleServices } from '../services.ts';
import { countOnce } from './count-once.ts';
import { logUnexpectedPayment } from './log-unexpected-payment.ts';
import { askAboutKnown, askStripe } from './stripe.ts';
import { subscribe, wasCancelledSince } from './subscriptions.ts';

/** The parts of a finished checkout that are used. */
export const checkout = z.looseObject({
  id: z.string(),
  payment_status: z.string(),
  /** The payment that was made there. */
  payment_intent: z.string().nullable().optional(),
  amount_total: z.int().nullable().optional(),
  currency: z.string().nullable().optional(),
  metadata: z
    .object({
      uid: z.string(),
      purpose: z.string(),
      orderId: z.string().optional(),
      invoiceId: z.string().optional(),
    })
    .loose(),
});
export type Checkout = z.infer<typeof checkout>;

/**
 * Does what a checkout was for and records it as processed, in one transaction: it counts once, whoever reports it.
 * @param told when it was first reported, in epoch milliseconds
 * @returns whether it was new
 */
export async function fulfilCheckout(services: ConsoleServices, finished: Checkout, told: number): Promise<boolean> {
  const { purpose } = finished.metadata;
  // It is reported again once it is paid.
  if (purpose !== 'SUBSCRIBE' && !isPaid(finished)) return false;
  const signing = await licenceSigningKey(services);
  return await services.database.transaction(async (queries) => {
    if (!(await countOnce(queries, finished.id, services.now()))) return false;
    if (purpose === 'SUBSCRIBE') {
      await subscribeSince(queries, services, finished, told);
      return true;
    }
    if (await payFor(queries, services, signing, finished)) return true;
    const { id, metadata } = finished;
    if ((await existenceOf(queries, metadata.uid)) === 'unknown') tellUnknown(services, id, metadata.uid);
    // Money arrived for something that is paid or closed, or that was an erased account's.
    else logUnexpectedPayment(services, { checkout: id, ...moneyOf(finished), ...metadata });
    return true;
  });
}

/**
 * Expires a page of the payment service on which something could still be paid; a payment made there is processed.
 * @param page its id there; null if there is none
 * @returns whether it was paid
 * @throws ConsoleError PAYMENT_FAILED if the service does not say
 */
export async function settlePage(services: ConsoleServices, page: string | null): Promise<boolean> {
  if (!services.payments || page === null) return false;
  const { sessions } = services.payments.stripe.checkout;
  const session = await askAboutKnown(sessions.retrieve(page));
  if (!session) return false;
  if (session.status === 'open') await askStripe(sessions.expire(page));
  return fulfilPaid(services, session);
}

/** Processes what was paid on a page of the payment service. @returns whether it was paid */
export async function fulfilPaid(services: ConsoleServices, page: Stripe.Checkout.Session): Promise<boolean> {
  if (page.status !== 'complete') return false;
  await fulfilCheckout(services, checkout.parse(page), services.now());
  return true;
}

/** How much the payment service's clock and ours may differ. */
const clocksDifferMs = 60_000;

/** Every installation with the same keys is told about all checkouts. */
function tellUnknown({ log }: ConsoleServices, checkout: string, uid: string): void {
  log.warn(
    { checkout, uid },
    'a checkout belongs to no account of this installation: it was erased, or another installation shares its keys',
  );
}

/** Subscribes, unless the customer cancelled after the checkout: an event may come days late. */
async function subscribeSince(
  queries: Queries,
  services: ConsoleServices,
  { id, metadata: { uid } }: Checkout,
  told: number,
): Promise<void> {
  const { log, now } = services;
  // Before looking: it may be erased meanwhile.
  await takeTurn(queries, uid);
  // If it were refused, the service would report it again for days, and in the end stop reporting anything.
  const existence = await existenceOf(queries, uid);
  if (existence === 'erased')
    return log.warn(
      { checkout: id, uid },
      'a checkout was finished for an account that was erased: no subscription begins, and nothing was charged. Delete its customer at the payment service',
    );
  if (existence === 'unknown') return tellUnknown(services, id, uid);
  if (!(await wasCancelledSince(queries, uid, told + clocksDifferMs))) return subscribe(queries, uid, now());
  log.warn(
    { checkout: id, uid },
    'a subscription was cancelled after this checkout, which was reported late: it stays cancelled',
  );
}

/** What was paid there, as it is named at the payment service. */
function moneyOf({ payment_intent: payment, amount_total: cents, currency }: Checkout) {
  return { payment, ...(cents != null && { amount: money(cents, (currency ?? 'usd').toUpperCase()) }) };
}

async function payFor(
  queries: Queries,
  services: ConsoleServices,
  signing: SigningKey,
  { metadata: { orderId, invoiceId }, payment_intent: payment }: Checkout,
): Promise<boolean> {
  if (invoiceId !== undefined) return payInvoice(queries, invoiceId, services.now(), payment ?? undefined);
  if (orderId === undefined) return true;
  if (!(await completeOrder(queries, services, signing, orderId, 'payment'))) return false;
  await queries.run('UPDATE invoice SET paid_with = $1 WHERE order_id = $2', [payment ?? null, orderId]);
  return true;
}

function isPaid({ payment_status: status }: Checkout): boolean {
  return status === 'paid';
}
