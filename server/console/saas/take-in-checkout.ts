import type Stripe from 'stripe';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { accountOf } from '../account/accounts.ts';
import { payInvoice } from '../billing/invoices.ts';
import { licenceSigningKey, type SigningKey } from '../licensing/licence-key.ts';
import { completeOrder } from '../licensing/orders.ts';
import type { ConsoleServices } from '../services.ts';
import { countOnce } from './count-once.ts';
import { askStripe } from './stripe.ts';
import { subscribe, wasCancelledSince } from './subscriptions.ts';

/** What of a finished checkout is acted on. */
export const checkout = z.looseObject({
  id: z.string(),
  payment_status: z.string(),
  amount_total: z.number().nullable().optional(),
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
 * Does what a checkout was for, in one transaction with the note that it was taken in: it counts once, whoever tells it.
 * @param told when it was told first, in epoch milliseconds
 */
export async function takeInCheckout(services: ConsoleServices, finished: Checkout, told: number): Promise<void> {
  const { purpose } = finished.metadata;
  // It is told again once it is paid.
  if (purpose !== 'SUBSCRIBE' && !isPaid(finished)) return;
  const signing = await licenceSigningKey(services);
  await services.database.transaction(async (queries) => {
    if (!(await countOnce(queries, finished.id, services.now()))) return;
    if (purpose === 'SUBSCRIBE') return subscribeSince(queries, services, finished, told);
    const done = await payFor(queries, services, signing, finished);
    // Money came for something that is closed: a person has to give it back.
    if (!done)
      services.log.error(
        { checkout: finished.id, ...finished.metadata },
        'a payment came for nothing that waits for it',
      );
  });
}

/**
 * Ends a page of the payment service where something could still be paid; what was paid there is taken in.
 * @param page its id there; null where there is none
 * @returns whether it was paid
 * @throws ConsoleError PAYMENT_FAILED where the service does not say
 */
export async function settlePage(services: ConsoleServices, page: string | null): Promise<boolean> {
  if (!services.payments || page === null) return false;
  const { sessions } = services.payments.stripe.checkout;
  const session = await askStripe(sessions.retrieve(page));
  if (session.status === 'open') await askStripe(sessions.expire(page));
  return takeInPaid(services, session);
}

/** Takes in what was paid on a page of the payment service. @returns whether it was paid */
export async function takeInPaid(services: ConsoleServices, page: Stripe.Checkout.Session): Promise<boolean> {
  if (page.status !== 'complete') return false;
  await takeInCheckout(services, checkout.parse(page), services.now());
  return true;
}

/** Clocks of the payment service and of ours may differ by so much. */
const clocksDifferMs = 60_000;

/** Subscribes, unless the customer cancelled after the checkout: an event may come days late. */
async function subscribeSince(
  queries: Queries,
  { log, now }: ConsoleServices,
  { id, metadata: { uid } }: Checkout,
  told: number,
): Promise<void> {
  if (!(await accountOf(queries, uid))) {
    // Refused, it would be told again for days, and in the end nothing any more.
    log.warn({ checkout: id, uid }, 'a checkout is of no account of this installation: another one may share its keys');
    return;
  }
  if (!(await wasCancelledSince(queries, uid, told + clocksDifferMs))) return subscribe(queries, uid, now());
  log.warn(
    { checkout: id, uid },
    'a subscription was cancelled after this checkout, which was told late: it stays cancelled',
  );
}

async function payFor(
  queries: Queries,
  services: ConsoleServices,
  signing: SigningKey,
  { metadata: { orderId, invoiceId } }: Checkout,
): Promise<boolean> {
  if (orderId !== undefined) return completeOrder(queries, services, signing, orderId, 'payment');
  if (invoiceId !== undefined) return payInvoice(queries, invoiceId, services.now());
  return true;
}

function isPaid({ payment_status: status }: Checkout): boolean {
  return status === 'paid';
}
