import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { creditedSum, creditNoteDocument } from './credit-notes.ts';
import { creditNotePdf, type InvoicePdf, invoicePdf } from './invoice-pdf.ts';
import { invoiceDocument } from './invoices.ts';

const invoiceRow = z.object({
  number: z.string(),
  created_at: z.number(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
  document: z.string(),
  credited: z.number(),
});
const noteRow = invoiceRow.omit({ status: true, credited: true });

/** An invoice or a credit note that can be drawn. */
export interface FoundPaper {
  number: string;
  /** Its name as a file. */
  file: string;
  draw(font: string | undefined): Promise<InvoicePdf>;
}

/** The invoice or credit note with an id or a number. */
export async function findPaper(
  queries: Queries,
  column: 'id' | 'number',
  value: string,
): Promise<FoundPaper | undefined> {
  const invoice = await queries.one(
    invoiceRow,
    `SELECT number, created_at, status, document, ${creditedSum} AS credited FROM invoice WHERE ${column} = $1`,
    [value],
  );
  if (invoice) {
    const { number, created_at: createdAt, status, credited } = invoice;
    const document = invoiceDocument.parse(JSON.parse(invoice.document));
    const draw = (font: string | undefined) => invoicePdf({ number, createdAt, status, credited }, document, font);
    return { number, file: `invoice-${number}.pdf`, draw };
  }
  const note = await queries.one(noteRow, `SELECT number, created_at, document FROM credit_note WHERE ${column} = $1`, [
    value,
  ]);
  if (!note) return undefined;
  const { number, created_at: createdAt } = note;
  const document = creditNoteDocument.parse(JSON.parse(note.document));
  const draw = (font: string | undefined) => creditNotePdf({ number, createdAt }, document, font);
  return { number, file: `credit-note-${number}.pdf`, draw };
}
