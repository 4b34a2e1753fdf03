import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { counted } from '../../../client/contract/counted.ts';
import { dayMs } from '../../../client/contract/dates.ts';
import type { Queries } from '../../storage/database.ts';
import { mailOwner } from '../account/mail-owner.ts';
import { makeInvoice } from '../billing/invoices.ts';
import { ConsoleError } from '../errors.ts';
import { composeMail } from '../messages/compose.ts';
import type { ConsoleServices } from '../services.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import { signAuthCode } from './auth-code.ts';
import type { SigningKey } from './licence-key.ts';
import { remainingValueOf } from './old-resource.ts';
import type { OrderRow } from './order-row.ts';

const remindDaysBefore = [7, 1];
const idRow = z.object({ id: z.string() });

/**
 * Issues the licence of a paid order in the caller's transaction: its time begins now, whenever it was quoted, and the
 * licence whose remaining value was used for it ends. What that one was used for since it was quoted is taken from the
 * new one's value and, by the same share, from its time.
 * @throws ConsoleError LICENCE_REPLACED when that value went into another licence; QUOTE_ENDED when nothing would be left
 * of the new one, which only a free order can be; TRIAL_USED
 */
export async function issueLicence(
  queries: Queries,
  services: ConsoleServices,
  signing: SigningKey,
  order: OrderRow,
): Promise<void> {
  const now = services.now();
  const id = randomUUID();
  const price = order.total + order.credits + order.old_value;
  const used = await usedMeanwhile(queries, order, now);
  if (used > 0 && used === price) throw new ConsoleError('QUOTE_ENDED');
  const period = order.to_at - order.from_at;
  const [from, to] = [now, now + period - (used > 0 ? Math.floor((period * used) / price) : 0)];
  const { installation, edition, links } = order;
  if (edition === 'TRIAL') await takeTrial(queries, installation);
  const replaces = order.old_licence === null ? [] : await replacedBy(queries, order.old_licence, now);
  const code = await signAuthCode({ id, installation, edition, links, from, to, replaces }, signing);
  await queries.run(
    `INSERT INTO licence (id, order_id, uid, installation, edition, links, from_at, to_at, value, auth_code, issued_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $7)`,
    [id, order.id, order.uid, installation, edition, links, from, to, price - used, code],
  );
  await queries.run('UPDATE licence_order SET from_at = $1, to_at = $2 WHERE id = $3', [from, to, order.id]);
  if (order.old_licence !== null) {
    const replaced = await queries.run('UPDATE licence SET replaced_by = $1 WHERE id = $2 AND replaced_by IS NULL', [
      id,
      order.old_licence,
    ]);
    // An installation has one pending order at a time; earlier versions may have left two with the same old licence.
    if (replaced === 0) throw new ConsoleError('LICENCE_REPLACED');
  }
  for (const days of remindDaysBefore) {
    const dueAt = to - days * dayMs;
    // None for a licence that is no longer than this: its owner has only just ordered it.
    if (dueAt > now)
      await scheduleTask(queries, { kind: 'licence-reminder', key: `${id}:${days}`, payload: '', dueAt });
  }
  if (order.total > 0) {
    const text = `Licence for ${counted(links, 'link')}, order ${order.reference}`;
    await makeInvoice(queries, services, {
      uid: order.uid,
      orderId: order.id,
      lines: [{ text, amount: order.total }],
      status: 'PAID',
    });
  }
  await mailOwner(queries, services, { kind: 'licence-issued', uid: order.uid }, (email) =>
    notice(services, email, order),
  );
}

/** The part of the value deducted for the old licence that this one was used for since: it served until now. */
async function usedMeanwhile(queries: Queries, { old_licence: old, old_value: value }: OrderRow, now: number) {
  return old === null ? 0 : Math.max(0, value - (await remainingValueOf(queries, old, now)));
}

/** A licence and those whose remaining value went into it, if their codes have not expired; a code must stay short. */
async function replacedBy(queries: Queries, old: string, now: number): Promise<string[]> {
  const replaced = await queries.all(
    idRow,
    `WITH RECURSIVE replaced (id) AS (
       SELECT CAST($1 AS TEXT) UNION SELECT licence.id FROM licence JOIN replaced ON licence.replaced_by = replaced.id
     ) SELECT id FROM licence WHERE id IN (SELECT id FROM replaced) AND to_at > $2 ORDER BY issued_at DESC LIMIT 20`,
    [old, now],
  );
  return replaced.map(({ id }) => id);
}

/** Of several quotes for an installation's trial, only one becomes a licence. */
async function takeTrial(queries: Queries, installation: string): Promise<void> {
  const used = await queries.run('INSERT INTO trial (installation) VALUES ($1) ON CONFLICT DO NOTHING', [installation]);
  if (used === 0) throw new ConsoleError('TRIAL_USED');
}

function notice({ brand, config }: ConsoleServices, email: string, { reference, links }: OrderRow) {
  return composeMail(email, brand.name, {
    subject: 'Your licence is ready',
    paragraphs: [
      `Order ${reference} is complete: a licence for ${counted(links, 'link')}.`,
      'Its authorization code is in the console, under Orders. To see it, confirm with a code that we mail to you.',
    ],
    action: { label: 'Show the order', href: `${config.cloudAppUrl}/orders` },
  });
}
