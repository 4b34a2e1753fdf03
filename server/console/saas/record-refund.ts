import { z } from 'zod';
import { money } from '../../../client/contract/money.ts';
import type { Queries } from '../../storage/database.ts';
import { type CreditedInvoice, keepCreditNote, makeCreditNote, takeCreditedInvoice } from '../billing/credit-notes.ts';
import type { ConsoleServices } from '../services.ts';
import { countOnce, isCounted } from './count-once.ts';
import { askAboutKnown, askStripe } from './stripe.ts';

/** The parts of a refund that are used. */
export const refund = z.looseObject({
  id: z.string(),
  object: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullable(),
  payment_intent: z.string().nullable(),
});
export type Refund = z.infer<typeof refund>;

const noteRow = z.object({ number: z.string() });
const refundRow = z.object({ refund: z.string() });
const idRow = z.object({ id: z.string() });

/**
 * Processes a refund that was made, or has failed, at the payment service: a refund has one credit note, whoever reports
 * it, how often, and in which order. One that replaces a failed refund keeps that one's note.
 */
export async function recordRefund(services: ConsoleServices, made: Refund): Promise<void> {
  const { database, log, now } = services;
  const { id, status, payment_intent: payment } = made;
  if (payment === null) return;
  if (hasFailed(made)) return recordFailure(services, id);
  if (status !== 'succeeded' || (await noteOf(database, id))) return;
  const invoiceId = await invoicePaidWith(services, payment);
  if (invoiceId !== undefined) await learnOfFailures(services, invoiceId, made.amount);
  await database.transaction(async (queries) => {
    const fault = invoiceId === undefined ? undefined : await creditOnce(queries, services, invoiceId, made);
    if (invoiceId !== undefined && fault === undefined) return;
    // One of a second payment for something, or of another program with this key, needs no credit note.
    if (!(await countOnce(queries, id, now()))) return;
    if (fault === undefined)
      log.info({ refund: id, payment }, 'a refund belongs to a payment that paid no invoice here');
    else log.error({ refund: id, payment }, fault);
  });
}

const hasFailed = ({ status }: Refund) => status === 'failed' || status === 'canceled';

/** The name under which a failure is remembered, since an earlier event may be reported after it. */
const failureOf = (refundId: string) => `${refundId}-failed`;

/** Remembers that a refund has failed, and tells the operator if it has a credit note. */
async function recordFailure({ database, log, now }: ConsoleServices, refundId: string): Promise<void> {
  await database.transaction(async (queries) => {
    await countOnce(queries, failureOf(refundId), now());
    const note = await queries.one(
      noteRow,
      'UPDATE credit_note SET refund_failed = 1 WHERE refund = $1 AND refund_failed = 0 RETURNING number',
      [refundId],
    );
    if (note)
      log.error(
        { refund: refundId, creditNote: note.number },
        'a refund failed after its credit note was made: refund the same amount at the payment service, or return it in another way and record that with npm run invoice -- credit: the note then counts for it',
      );
  });
}

/** Asks for earlier refunds that a new one may replace: their failure may be reported after it. */
async function learnOfFailures(services: ConsoleServices, invoiceId: string, amount: number): Promise<void> {
  const { database, payments } = services;
  if (!payments) return;
  const earlier = await database.all(
    refundRow,
    'SELECT refund FROM credit_note WHERE invoice_id = $1 AND amount = $2 AND refund IS NOT NULL AND refund_failed = 0',
    [invoiceId, amount],
  );
  for (const { refund: id } of earlier) {
    const state = await askAboutKnown(payments.stripe.refunds.retrieve(id));
    if (state && hasFailed(refund.parse(state))) await recordFailure(services, id);
  }
}

function noteOf(queries: Queries, refundId: string) {
  return queries.one(noteRow, 'SELECT number FROM credit_note WHERE refund = $1', [refundId]);
}

/** @returns why a credit note cannot be made, if it cannot */
async function creditOnce(
  queries: Queries,
  services: ConsoleServices,
  invoiceId: string,
  { id, amount, currency }: Refund,
): Promise<string | undefined> {
  const invoice = await takeCreditedInvoice(queries, invoiceId);
  // Another server may have made it meanwhile, or it has failed and this is an earlier event.
  if ((await noteOf(queries, id)) || (await isCounted(queries, failureOf(id)))) return undefined;
  const kept = currency === 'usd' ? await keepCreditNote(queries, invoiceId, amount, id) : undefined;
  const fault = kept ? undefined : faultOf(invoice, amount, currency);
  if (fault !== undefined) return fault;
  const number = kept ?? (await makeCreditNote(queries, services, invoice, amount, id));
  services.log.info(
    { invoice: invoice.number, creditNote: number, refund: id, amount: money(amount, 'USD') },
    kept
      ? 'a refund was made in place of one that failed, and the credit note counts for it'
      : 'a refund was made, and a credit note for it',
  );
  return undefined;
}

function faultOf({ number, total, credited }: CreditedInvoice, amount: number, currency: string): string | undefined {
  if (currency !== 'usd') return `a refund for invoice ${number} is not in USD: make its credit note by hand`;
  if (amount <= total - credited) return undefined;
  return `a refund exceeds what credit notes have left of invoice ${number}, so none was made for it: compare it with npm run invoice -- list`;
}

/**
 * The invoice that a payment at the payment service has paid. One that an earlier version recorded is found by its
 * charge, or by the page on which the payment was made.
 */
export async function invoicePaidWith(services: ConsoleServices, payment: string): Promise<string | undefined> {
  const { database, payments } = services;
  const known = await database.one(
    idRow,
    "SELECT id FROM invoice WHERE paid_with = $1 OR (paid_with IS NULL AND payment_intent = $1 AND status = 'PAID')",
    [payment],
  );
  if (known) return known.id;
  if (!payments) return undefined;
  const { sessions } = payments.stripe.checkout;
  const { data } = await askStripe(sessions.list({ payment_intent: payment, limit: 1 }));
  const page = data[0]?.id;
  if (page === undefined) return undefined;
  const paidThere = await database.one(
    idRow,
    `SELECT invoice.id FROM invoice LEFT JOIN licence_order ON licence_order.id = invoice.order_id
     WHERE invoice.paid_with IS NULL AND invoice.payment_intent IS NULL AND invoice.status = 'PAID'
       AND (invoice.pay_session = $1 OR licence_order.pay_session = $1)`,
    [page],
  );
  return paidThere?.id;
}
