import type { Queries } from '../../storage/database.ts';
import { takeTurn } from '../account/take-turn.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';

export interface LateInvoice {
  id: string;
  uid: string;
  number: string;
  email: string | null;
}

/**
 * Marks an open invoice as late, in the caller's transaction: the subscription becomes past due, and its owner is
 * notified.
 * @param why a complete sentence
 */
export async function fallBehind(
  queries: Queries,
  services: ConsoleServices,
  { id, uid, number, email }: LateInvoice,
  why: string,
): Promise<void> {
  const open = await queries.run("UPDATE invoice SET late = 1 WHERE id = $1 AND status = 'OPEN'", [id]);
  if (open === 0) return;
  await takeTurn(queries, uid);
  await queries.run("UPDATE subscription SET status = 'PAST_DUE' WHERE uid = $1 AND status = 'ACTIVE'", [uid]);
  const { brand, config, log } = services;
  log.info({ invoice: number, uid }, 'an invoice is late');
  if (email === null) return;
  const letter = {
    subject: `Invoice ${number} has not been paid`,
    paragraphs: [why, 'Please pay it in the console, under Invoices, or write to us.'],
    action: { label: 'Show invoices', href: `${config.cloudAppUrl}/invoices` },
  };
  await queueMessage(queries, services, composeMail(email, brand.name, letter), { kind: 'invoice-late', uid });
}

/** Makes an account's past-due subscription active again, once none of its late invoices is open. */
export async function catchUp(queries: Queries, uid: string): Promise<void> {
  // If two are paid at the same time, the second sees the first.
  await takeTurn(queries, uid);
  await queries.run(
    `UPDATE subscription SET status = 'ACTIVE' WHERE uid = $1 AND status = 'PAST_DUE'
     AND NOT EXISTS (SELECT 1 FROM invoice WHERE invoice.uid = $1 AND invoice.status = 'OPEN' AND invoice.late = 1)`,
    [uid],
  );
}
