import { z } from 'zod';
import { money } from '../../../client/contract/money.ts';
import type { Queries } from '../../storage/database.ts';
import { type CreditedInvoice, makeCreditNote, takeCreditedInvoice } from '../billing/credit-notes.ts';
import type { ConsoleServices } from '../services.ts';
import { countOnce } from './count-once.ts';
import { askStripe } from './stripe.ts';

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
const idRow = z.object({ id: z.string() });

/** Creates the credit note of a refund that was made at the payment service: one, whoever reports it and how often. */
export async function recordRefund(services: ConsoleServices, made: Refund): Promise<void> {
  const { database, log, now } = services;
  const { id, status, payment_intent: payment } = made;
  const hasFailed = status === 'failed' || status === 'canceled';
  if (payment === null || (status !== 'succeeded' && !hasFailed)) return;
  const known = await noteOf(database, id);
  if (known && hasFailed && (await countOnce(database, `${id}-${status}`, now())))
    log.error(
      { refund: id, creditNote: known.number },
      'a refund failed after its credit note was made: return the money in another way, such as a transfer, since a second refund would make a second credit note',
    );
  if (known || hasFailed) return;
  const invoiceId = await invoicePaidWith(services, payment);
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
  // Another server may have made it meanwhile.
  if (await noteOf(queries, id)) return undefined;
  const fault = faultOf(invoice, amount, currency);
  if (fault !== undefined) return fault;
  const number = await makeCreditNote(queries, services, invoice, amount, id);
  services.log.info(
    { invoice: invoice.number, creditNote: number, refund: id, amount: money(amount, 'USD') },
    'a refund was made, and a credit note for it',
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
