import type Stripe from 'stripe';
import { z } from 'zod';
import { dayMs } from '../../../client/contract/dates.ts';
import { money } from '../../../client/contract/money.ts';
import { payInvoice, payWithinDays } from '../billing/invoices.ts';
import { isForCard } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { fallBehind } from './arrears.ts';
import { listCards } from './cards.ts';
import { countOnce } from './count-once.ts';
import { withCustomer } from './customer.ts';
import { settlePage } from './fulfil-checkout.ts';
import { logUnexpectedPayment } from './log-unexpected-payment.ts';
import { findPaidBefore, metadataOf } from './paid-before.ts';
import { askAboutKnown, askStripe, lastingRefusalOf, type Payments, stripeErrors } from './stripe.ts';

/** Days after an invoice's creation on which its card is charged, until a charge succeeds. */
const chargeOnDays = [0, 3, 5, 7];

const row = z.object({
  id: z.string(),
  uid: z.string(),
  number: z.string(),
  month: z.string().nullable(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
  total: z.number(),
  created_at: z.number(),
  late: z.number(),
  payment_intent: z.string().nullable(),
  pay_session: z.string().nullable(),
  email: z.string().nullable(),
});
type OpenInvoice = z.infer<typeof row>;
type ChargedInvoice = Pick<OpenInvoice, 'id' | 'uid' | 'payment_intent'>;

/**
 * Charges the account's card for an open invoice, and again on some of the following days if that is refused; without a
 * card, it waits for a transfer until the deadline. Its key is the invoice's id.
 */
export const collectInvoice: TaskHandler = async (services, { key }) => {
  const { database, payments, now } = services;
  const invoice = await database.one(
    row,
    `SELECT invoice.id, invoice.uid, number, month, status, total, invoice.created_at, late, payment_intent, pay_session, email
     FROM invoice JOIN account ON account.uid = invoice.uid
     WHERE invoice.id = $1`,
    [key],
  );
  if (!invoice) return undefined;
  if (await reconcileCharge(services, invoice)) {
    await settlePage(services, invoice.pay_session);
    return undefined;
  }
  if (invoice.status !== 'OPEN') return undefined;
  // Its owner may pay it, or have paid it, on a page of the payment service: it must not be paid twice.
  if (await settlePage(services, invoice.pay_session)) return undefined;
  if (await reconcilePaidBefore(services, invoice)) return undefined;
  const age = now() - invoice.created_at;
  const cards = payments ? await listCards(services, invoice.uid) : [];
  const card = cards.find(({ isDefault }) => isDefault);
  if (!payments || !card || !isForCard(invoice.total)) return waitForTransfer(services, invoice, age);
  const begun = await intentOf(payments, invoice.payment_intent);
  if (begun?.status === 'canceled') {
    services.log.warn(
      { invoice: invoice.number, payment: invoice.payment_intent },
      'the payment of an invoice was cancelled at the payment service: no card is charged for it any more, and it waits for a transfer or for its owner to pay it',
    );
    return waitForTransfer(services, invoice, age);
  }
  const intent = begun ?? (await unlessRefused(services, invoice, beginPayment(services, payments, invoice)));
  // The service may have taken long, and an operator may have made the invoice void meanwhile.
  if ((await stateOf(services, key))?.status !== 'OPEN') return undefined;
  if (intent && (await unlessRefused(services, invoice, charge(services, payments, intent, card.id)))) {
    await noteCharge(services, invoice, intent.id);
    // A page opened meanwhile could pay it again.
    await settlePage(services, (await stateOf(services, key))?.pay_session ?? null);
    return undefined;
  }
  const why = `The card ending in ${card.last4} could not be charged for invoice ${invoice.number}.`;
  await database.transaction((queries) => fallBehind(queries, services, invoice, why));
  const next = chargeOnDays.find((days) => days * dayMs > age);
  return next === undefined ? undefined : invoice.created_at + next * dayMs;
};

/**
 * Marks an invoice as paid if its card was charged by a server that died before recording it, or that got no answer.
 * @returns whether it was charged
 */
export async function reconcileCharge(services: ConsoleServices, invoice: ChargedInvoice): Promise<boolean> {
  const { payment_intent: intent } = invoice;
  if (!services.payments || intent === null) return false;
  if ((await intentOf(services.payments, intent))?.status !== 'succeeded') return false;
  await noteCharge(services, invoice, intent);
  return true;
}

/** Marks an invoice as paid if it was paid before the store was restored from an older backup. @returns whether it was */
async function reconcilePaidBefore(services: ConsoleServices, invoice: OpenInvoice): Promise<boolean> {
  const { payments, log } = services;
  const { uid, number, month, total, payment_intent: intent } = invoice;
  if (!payments || month === null || intent !== null) return false;
  const before = await findPaidBefore(services, payments, uid, month);
  if (!before) return false;
  log.warn(
    { invoice: number, payment: before.id, total: money(total, 'USD'), paid: money(before.amount, 'USD') },
    'an invoice was paid at the payment service before this store was restored: it is not charged again',
  );
  await noteCharge(services, invoice, before.id);
  return true;
}

/** A payment as it is there; undefined if there is none. */
async function intentOf({ stripe }: Payments, id: string | null): Promise<Stripe.PaymentIntent | undefined> {
  return id === null ? undefined : askAboutKnown(stripe.paymentIntents.retrieve(id));
}

/** Awaits a request about an invoice; if each repeat would be refused too, its operator is told why. */
async function unlessRefused<Answer>(
  { log }: ConsoleServices,
  { number }: OpenInvoice,
  question: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await question;
  } catch (error) {
    const refusal = lastingRefusalOf(error);
    if (refusal === undefined) throw error;
    log.error({ invoice: number, refusal }, 'the payment service refuses to charge a card for an invoice');
    return undefined;
  }
}

/** Records that a charge has paid an invoice: it counts once, whichever server sees it. */
function noteCharge(services: ConsoleServices, { id, uid }: ChargedInvoice, intent: string): Promise<void> {
  const { database, now } = services;
  return database.transaction(async (queries) => {
    const isPaidByIt = await payInvoice(queries, id, now(), intent);
    const isNew = await countOnce(queries, intent, now());
    // It was paid in another way while the card was charged: an operator must refund it.
    if (isNew && !isPaidByIt) logUnexpectedPayment(services, { payment: intent, uid, invoiceId: id });
  });
}

const stateRow = row.pick({ status: true, pay_session: true });

/** What may have changed meanwhile. */
function stateOf({ database }: ConsoleServices, invoiceId: string) {
  return database.one(stateRow, 'SELECT status, pay_session FROM invoice WHERE id = $1', [invoiceId]);
}

async function waitForTransfer(services: ConsoleServices, invoice: OpenInvoice, age: number) {
  if (age < payWithinDays * dayMs) return invoice.created_at + payWithinDays * dayMs;
  if (invoice.late === 1) return undefined;
  const why = `Invoice ${invoice.number} was due within ${payWithinDays} days, and no payment has arrived.`;
  await services.database.transaction((queries) => fallBehind(queries, services, invoice, why));
  return undefined;
}

/**
 * Charges a card. All tries use one payment at the service, so a try whose answer was lost does not charge a second
 * time.
 * @returns whether it was paid; false when the card was refused or its owner would have to confirm
 */
async function charge(
  { config }: ConsoleServices,
  { stripe: { paymentIntents } }: Payments,
  { id, automatic_payment_methods: methods }: Stripe.PaymentIntent,
  card: string,
): Promise<boolean> {
  // Earlier versions began payments that may redirect, which the service charges only if it knows where to return.
  const back = methods?.allow_redirects === 'never' ? {} : { return_url: `${config.cloudAppUrl}/invoices` };
  const confirmed = paymentIntents
    .confirm(id, { payment_method: card, off_session: true, ...back })
    .catch(async (error: unknown) => {
      const { StripeCardError } = await stripeErrors();
      if (error instanceof StripeCardError) return undefined;
      throw error;
    });
  return (await askStripe(confirmed))?.status === 'succeeded';
}

async function beginPayment(
  services: ConsoleServices,
  payments: Payments,
  invoice: OpenInvoice,
): Promise<Stripe.PaymentIntent> {
  const { id, uid, number, total, payment_intent: unknown } = invoice;
  const made = await withCustomer(services, payments, uid, (customer, anew) =>
    payments.stripe.paymentIntents.create(
      {
        amount: total,
        currency: 'usd',
        customer,
        // A card in its owner's absence can redirect nobody.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        description: `Invoice ${number}`,
        metadata: { uid, ...metadataOf(invoice) },
      },
      // A payment that is begun twice after an internal error is charged once: only the one that is stored is confirmed.
      { idempotencyKey: (unknown === null ? `collect-${id}` : `collect-${id}-${unknown}`) + anew },
    ),
  );
  await services.database.run('UPDATE invoice SET payment_intent = $1 WHERE id = $2', [made.id, id]);
  return made;
}
