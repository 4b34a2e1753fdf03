import { z } from 'zod';
import { money } from '../../../client/contract/money.ts';
import type { Queries } from '../../storage/database.ts';
import { mailOwner } from '../account/mail-owner.ts';
import { composeMail } from '../messages/compose.ts';
import { catchUp } from '../saas/arrears.ts';
import { expirePageSoon } from '../saas/expire-page-soon.ts';
import type { ConsoleServices } from '../services.ts';
import { type CreditedInvoice, writeCreditNote } from './credit-notes.ts';

const pageRow = z.object({ pay_session: z.string().nullable() });

/**
 * Makes an open invoice void, in the transaction that has taken it: a credit note for its whole amount keeps the books
 * and the numbers complete, its payment page expires, and its owner is notified.
 * @returns the number of the credit note
 */
export async function voidInvoice(
  queries: Queries,
  services: ConsoleServices,
  invoice: CreditedInvoice,
): Promise<string> {
  if (invoice.status !== 'OPEN') throw new Error(`Invoice ${invoice.number} is ${invoice.status}, not OPEN.`);
  const { now } = services;
  const changed = await queries.one(pageRow, "UPDATE invoice SET status = 'VOID' WHERE id = $1 RETURNING pay_session", [
    invoice.id,
  ]);
  await expirePageSoon(queries, now(), changed?.pay_session ?? null);
  const number = await writeCreditNote(queries, now(), invoice, { amount: invoice.total, voids: true });
  await catchUp(queries, invoice.uid);
  await mailOwner(queries, services, { kind: 'credit-note', uid: invoice.uid }, (email) =>
    notice(services, email, invoice, number),
  );
  return number;
}

function notice(
  { brand, config }: ConsoleServices,
  email: string,
  { number, total }: CreditedInvoice,
  creditNote: string,
) {
  return composeMail(email, brand.name, {
    subject: `Invoice ${number} is void`,
    paragraphs: [
      `Invoice ${number} of ${money(total, 'USD')} is void: nothing has to be paid for it. If you have already transferred the amount, write to ${brand.supportEmail} and name the invoice.`,
      `Credit note ${creditNote} is in the console as a PDF, under Invoices.`,
    ],
    action: { label: 'Show invoices', href: `${config.cloudAppUrl}/invoices` },
  });
}
