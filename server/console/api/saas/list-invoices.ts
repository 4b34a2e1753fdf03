import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import type { CreditNote, Invoice } from '../../../../client/contract/console/billing.ts';
import type { Queries } from '../../../storage/database.ts';
import { usd } from '../../money.ts';
import { signAddress } from '../../signed-address.ts';
import { signedInCall } from '../define-call.ts';
import { pageFields } from '../fields.ts';
import { readListPage } from '../read-list-page.ts';

const row = z.object({
  id: z.string(),
  number: z.string(),
  created_at: z.number(),
  total: z.number(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
});
const noteRow = z.object({
  id: z.string(),
  number: z.string(),
  invoice_id: z.string(),
  amount: z.number(),
  created_at: z.number(),
});

/** The account's invoices, newest first, each with its credit notes and with PDF addresses that are valid for one hour. */
export const listInvoices = signedInCall(
  calls.listInvoices,
  z.strictObject(pageFields),
  async ({ session, body }, { database, secretKey, config, now }) => {
    const invoices = await readListPage(
      database,
      {
        row,
        columns: 'id, number, created_at, total, status',
        from: 'invoice',
        where: 'uid = $1',
        parameters: [session.uid],
        orderBy: 'created_at DESC, number DESC',
      },
      body,
    );
    const pdfUrl = (id: string) => config.publicUrl + signAddress(secretKey, `/invoices/${id}.pdf`, now()).path;
    const notes = await notesOf(
      database,
      invoices.items.map(({ id }) => id),
    );
    const items = invoices.items.map(({ id, number, created_at: createdAt, total, status }): Invoice => {
      const creditNotes = notes.get(id)?.map(
        (note): CreditNote => ({
          number: note.number,
          createdAt: note.created_at,
          amount: usd(note.amount),
          pdfUrl: pdfUrl(note.id),
        }),
      );
      return {
        id,
        number,
        createdAt,
        total: usd(total),
        status,
        pdfUrl: pdfUrl(id),
        ...(creditNotes && { creditNotes }),
      };
    });
    return { ...invoices, items };
  },
);

/** The credit notes of each invoice, oldest first. */
async function notesOf(queries: Queries, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return new Map<string, z.infer<typeof noteRow>[]>();
  const notes = await queries.all(
    noteRow,
    `SELECT id, number, invoice_id, amount, created_at FROM credit_note
     WHERE invoice_id IN (${invoiceIds.map((_, at) => `$${at + 1}`).join(', ')})
     ORDER BY created_at, number`,
    invoiceIds,
  );
  return Map.groupBy(notes, (note) => note.invoice_id);
}
