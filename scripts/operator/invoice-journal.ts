import { z } from 'zod';
import { dayOf } from '../../client/contract/dates.ts';
import { creditNoteDocument } from '../../server/console/billing/credit-notes.ts';
import { invoiceDocument } from '../../server/console/billing/invoices.ts';
import type { Queries } from '../../server/storage/database.ts';

const row = z.object({
  kind: z.enum(['invoice', 'credit note']),
  number: z.string(),
  created_at: z.number(),
  status: z.string(),
  paid_at: z.number().nullable(),
  document: z.string(),
});
const head = [
  'number',
  'date',
  'kind',
  'for',
  'status',
  'paid',
  'company',
  'name',
  'country',
  'tax rate',
  'net',
  'tax',
  'total',
  'currency',
];

/** Amounts without a currency, as spreadsheets read them; what a credit note returns is negative. */
const decimal = (cents: number) => (cents / 100).toFixed(2);

/** A value of a CSV file; a spreadsheet must not take a customer's name for a formula. */
function cell(value: string): string {
  const shown = /^[=+@\t\r]|^-(?![\d.]+$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** The invoices and credit notes of a month (UTC) as CSV, for the operator's bookkeeping. @param month YYYY-MM */
export async function invoiceJournal(queries: Queries, month: string): Promise<string> {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
  const rows = await queries.all(
    row,
    `SELECT 'invoice' AS kind, number, created_at, status, paid_at, document FROM invoice
     WHERE created_at >= $1 AND created_at < $2
     UNION ALL SELECT 'credit note', number, created_at, '', NULL, document FROM credit_note
     WHERE created_at >= $1 AND created_at < $2
     ORDER BY created_at, number`,
    [start.getTime(), end],
  );
  const lines = rows.map(({ kind, number, created_at: at, status, paid_at: paidAt, document }) => {
    const isNote = kind === 'credit note';
    const content = JSON.parse(document);
    const about = isNote ? creditNoteDocument.parse(content) : invoiceDocument.parse(content);
    const { buyer, tax, total } = about;
    const sign = isNote ? -1 : 1;
    const original = 'invoice' in about ? about.invoice.number : '';
    const paid = paidAt === null ? '' : dayOf(paidAt);
    const amounts = [total - tax.amount, tax.amount, total].map((cents) => decimal(sign * cents));
    const { company, name, country } = buyer;
    return [
      number,
      dayOf(at),
      kind,
      original,
      status,
      paid,
      company,
      name,
      country,
      String(tax.rate),
      ...amounts,
      'USD',
    ];
  });
  return [head, ...lines].map((line) => line.map(cell).join(',')).join('\r\n');
}
