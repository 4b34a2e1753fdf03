import type { Queries } from '../../storage/database.ts';
import { mailOwner } from '../account/mail-owner.ts';
import { composeMail } from '../messages/compose.ts';
import type { ConsoleServices } from '../services.ts';
import type { OrderRow } from './order-row.ts';

/**
 * Tells the owner of an unpaid order that it was closed, in the caller's transaction: a transfer can take longer than an
 * order is kept, and its money must not be lost without a word.
 * @param why a complete sentence that says that it was closed
 */
export async function tellOrderClosed(
  queries: Queries,
  services: ConsoleServices,
  { id, uid, reference, credits }: OrderRow,
  why: string,
): Promise<void> {
  const { brand, config } = services;
  const returned = credits > 0 ? ' The credits set aside for it are in your account again.' : '';
  await mailOwner(queries, services, { kind: 'order-closed', uid }, (email) =>
    composeMail(email, brand.name, {
      subject: `Order ${reference} was closed`,
      paragraphs: [
        `${why}${returned}`,
        `If you have already paid, write to ${brand.supportEmail} and name the order. Otherwise you can place a new one at any time.`,
      ],
      action: { label: 'Show the order', href: `${config.cloudAppUrl}/orders?order=${id}` },
    }),
  );
}
