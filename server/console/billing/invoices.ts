import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { dayMs } from '../../../client/contract/dates.ts';
import type { Queries } from '../../storage/database.ts';
import { longDay } from '../long-day.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import { catchUp } from '../saas/arrears.ts';
import type { ConsoleServices } from '../services.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

/** The content of an invoice, kept as it was on its day. */
export const invoiceDocument = z.strictObject({
  seller: z.strictObject({ name: z.string(), email: z.string() }),
  buyer: z.strictObject({ name: z.string(), company: z.string(), country: z.string(), email: z.string() }),
  lines: z.array(z.strictObject({ text: z.string(), amount: z.int() })),
  tax: z.strictObject({ label: z.string(), rate: z.number(), amount: z.int() }),
  total: z.int(),
  /** Where to pay an open invoice, and by when (epoch ms). */
  payment: z.strictObject({ payee: z.string(), account: z.string(), until: z.int() }).optional(),
});

export type InvoiceDocument = z.infer<typeof invoiceDocument>;

const buyerRow = z.object({
  username: z.string(),
  company: z.string(),
  country: z.string(),
  email: z.string().nullable(),
});
/** How long an invoice may stay open if no card is charged for it. */
export const payWithinDays = 14;
const counterRow = z.object({ value: z.number() });

interface NewInvoice {
  uid: string;
  month?: string;
  orderId?: string;
  lines: { text: string; amount: number }[];
  status: 'OPEN' | 'PAID';
}

/**
 * Creates an invoice in the caller's transaction; its number follows the last one without a gap, since both commit
 * together. Prices include the tax from the operator's brand file.
 * @returns its id
 */
export async function makeInvoice(queries: Queries, services: ConsoleServices, wanted: NewInvoice): Promise<string> {
  const { brand, now } = services;
  const buyer = await queries.one(buyerRow, 'SELECT username, company, country, email FROM account WHERE uid = $1', [
    wanted.uid,
  ]);
  if (!buyer) throw new Error('The account of an invoice does not exist.');
  const number = await nextNumber(queries, 'invoice', now());
  const total = wanted.lines.reduce((sum, { amount }) => sum + amount, 0);
  const rate = brand.taxRate ?? 0;
  const until = now() + payWithinDays * dayMs;
  const document: InvoiceDocument = {
    seller: { name: brand.legalName, email: brand.supportEmail },
    buyer: { name: buyer.username, company: buyer.company, country: buyer.country, email: buyer.email ?? '' },
    lines: wanted.lines,
    tax: { label: brand.taxLabel ?? 'Tax', rate, amount: includedTax(total, rate) },
    total,
    ...(wanted.status === 'OPEN' && {
      payment: { payee: brand.payee ?? brand.legalName, account: brand.account ?? '', until },
    }),
  };
  const id = randomUUID();
  await queries.run(
    `INSERT INTO invoice (id, number, uid, month, order_id, status, total, document, created_at, paid_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      number,
      wanted.uid,
      wanted.month ?? null,
      wanted.orderId ?? null,
      wanted.status,
      total,
      JSON.stringify(document),
      now(),
      wanted.status === 'PAID' ? now() : null,
    ],
  );
  if (wanted.status === 'OPEN')
    await scheduleTask(queries, { kind: 'collect-invoice', key: id, payload: '', dueAt: now() });
  if (buyer.email !== null)
    await queueMessage(queries, services, notice(services, buyer.email, number, wanted.status, until), {
      kind: 'invoice',
      uid: wanted.uid,
    });
  return id;
}

/** The next number of a kind of document: the year, and a count without gaps. */
export async function nextNumber(queries: Queries, kind: 'invoice' | 'credit note', now: number): Promise<string> {
  const next = await queries.one(
    counterRow,
    'INSERT INTO counter (name, value) VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET value = counter.value + 1 RETURNING value',
    [kind],
  );
  return `${new Date(now).getUTCFullYear()}-${String(next?.value ?? 0).padStart(6, '0')}`;
}

/** The tax in an amount that includes it. */
export const includedTax = (amount: number, rate: number) => Math.round((amount * rate) / (1 + rate));

function notice(
  { brand, config }: ConsoleServices,
  email: string,
  number: string,
  status: 'OPEN' | 'PAID',
  until: number,
) {
  return composeMail(email, brand.name, {
    subject: `Invoice ${number}`,
    paragraphs: [
      status === 'PAID'
        ? `Invoice ${number} is paid. Thank you.`
        : `Invoice ${number} is ready. A card on your account is charged for it; without one, please transfer the amount by ${longDay(until)}. Account and reference are in the invoice.`,
      'You can find it as a PDF in the console, under Invoices.',
    ],
    action: { label: 'Show invoices', href: `${config.cloudAppUrl}/invoices` },
  });
}

/**
 * Marks an invoice as paid in the caller's transaction; a repeat changes nothing.
 * @param payment at the payment service, if it was paid there
 * @returns whether this call did it
 */
export async function payInvoice(queries: Queries, id: string, now: number, payment?: string): Promise<boolean> {
  const paid = await queries.one(
    z.object({ uid: z.string() }),
    "UPDATE invoice SET status = 'PAID', paid_at = $1, paid_with = $2 WHERE id = $3 AND status = 'OPEN' RETURNING uid",
    [now, payment ?? null, id],
  );
  if (paid) await catchUp(queries, paid.uid);
  return paid !== undefined;
}
