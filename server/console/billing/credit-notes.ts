import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { money } from '../../../client/contract/money.ts';
import type { Queries } from '../../storage/database.ts';
import { mailOwner } from '../account/mail-owner.ts';
import { lowerLicenceValue } from '../licensing/lower-licence-value.ts';
import { composeMail } from '../messages/compose.ts';
import type { ConsoleServices } from '../services.ts';
import { includedTax, invoiceDocument, nextNumber } from './invoices.ts';

/** The content of a credit note, kept as it was on its day. */
export const creditNoteDocument = invoiceDocument.pick({ seller: true, buyer: true, tax: true, total: true }).extend({
  invoice: z.strictObject({ number: z.string(), createdAt: z.int() }),
  /** Whether it makes an unpaid invoice void, instead of returning money. */
  voids: z.literal(true).optional(),
});

export type CreditNoteDocument = z.infer<typeof creditNoteDocument>;

const invoiceRow = z.object({
  id: z.string(),
  uid: z.string(),
  number: z.string(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
  order_id: z.string().nullable(),
  total: z.number(),
  document: z.string(),
  created_at: z.number(),
});
const numberRow = z.object({ number: z.string() });
const sumRow = z.object({ credited: z.number() });

/** SQL for the cents that credit notes have returned of an invoice of the statement. */
export const creditedSum =
  '(SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM credit_note WHERE invoice_id = invoice.id)';

/** An invoice, and how much of it credit notes have returned, in cents. */
export type CreditedInvoice = z.infer<typeof invoiceRow> & z.infer<typeof sumRow>;

/** Reads an invoice in the caller's transaction, whose end other credit notes for it wait for. */
export async function takeCreditedInvoice(queries: Queries, id: string): Promise<CreditedInvoice> {
  const invoice = await queries.one(
    invoiceRow,
    'UPDATE invoice SET status = status WHERE id = $1 RETURNING id, uid, number, status, order_id, total, document, created_at',
    [id],
  );
  if (!invoice) throw new Error('The invoice of a credit note does not exist.');
  // A statement of its own: it sees the notes of the transaction that the one above has waited for.
  const sum = `SELECT ${creditedSum} AS credited FROM invoice WHERE id = $1`;
  return { ...invoice, credited: (await queries.one(sumRow, sum, [id]))?.credited ?? 0 };
}

/**
 * Creates a credit note for a part of a paid invoice, in the transaction that has taken it; what is left of the paid
 * licence's value falls by as much, and the owner is notified.
 * @param amount cents, at most what no credit note has returned
 * @param refund at the payment service, if the money was returned there
 * @returns its number
 */
export async function makeCreditNote(
  queries: Queries,
  services: ConsoleServices,
  invoice: CreditedInvoice,
  amount: number,
  refund?: string,
): Promise<string> {
  const left = invoice.total - invoice.credited;
  if (invoice.status !== 'PAID' || amount < 1 || amount > left)
    throw new Error(`Of invoice ${invoice.number}, which is ${invoice.status}, ${left} cents are left to be credited.`);
  const number = await writeCreditNote(queries, services.now(), invoice, { amount, refund });
  if (invoice.order_id !== null) await lowerLicenceValue(queries, services, invoice.uid, invoice.order_id, amount);
  await mailOwner(queries, services, { kind: 'credit-note', uid: invoice.uid }, (email) =>
    notice(services, email, invoice, number, amount),
  );
  return number;
}

/**
 * Has a credit note whose refund has failed count for the same amount returned again, in the transaction that has taken
 * its invoice.
 * @param refund at the payment service, unless the money was returned in another way
 * @returns its number, if there is one
 */
export async function keepCreditNote(
  queries: Queries,
  invoiceId: string,
  amount: number,
  refund?: string,
): Promise<string | undefined> {
  const kept = await queries.one(
    numberRow,
    `UPDATE credit_note SET refund = $1, refund_failed = 0 WHERE id =
       (SELECT id FROM credit_note WHERE invoice_id = $2 AND amount = $3 AND refund_failed = 1 ORDER BY created_at, id LIMIT 1)
     RETURNING number`,
    [refund ?? null, invoiceId, amount],
  );
  return kept?.number;
}

/** Writes a credit note, in the transaction that has taken its invoice. @returns its number */
export async function writeCreditNote(
  queries: Queries,
  now: number,
  invoice: CreditedInvoice,
  { amount, refund, voids }: { amount: number; refund?: string | undefined; voids?: true },
): Promise<string> {
  const { seller, buyer, tax } = invoiceDocument.parse(JSON.parse(invoice.document));
  const number = `CN-${await nextNumber(queries, 'credit note', now)}`;
  const document: CreditNoteDocument = {
    seller,
    buyer,
    // Rounded on the sums, so that the notes for a whole invoice contain exactly its tax.
    tax: {
      ...tax,
      amount: includedTax(invoice.credited + amount, tax.rate) - includedTax(invoice.credited, tax.rate),
    },
    total: amount,
    invoice: { number: invoice.number, createdAt: invoice.created_at },
    ...(voids && { voids }),
  };
  await queries.run(
    'INSERT INTO credit_note (id, number, invoice_id, refund, amount, document, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [randomUUID(), number, invoice.id, refund ?? null, amount, JSON.stringify(document), now],
  );
  return number;
}

function notice(
  { brand, config }: ConsoleServices,
  email: string,
  { number, total }: CreditedInvoice,
  note: string,
  amount: number,
) {
  const part = amount === total ? money(amount, 'USD') : `${money(amount, 'USD')} of ${money(total, 'USD')}`;
  return composeMail(email, brand.name, {
    subject: `Refund for invoice ${number}`,
    paragraphs: [
      `${part} of invoice ${number} is refunded. A refund to a card can take ten days until the card's statement shows it.`,
      `Credit note ${note} is in the console as a PDF, under Invoices.`,
    ],
    action: { label: 'Show invoices', href: `${config.cloudAppUrl}/invoices` },
  });
}
