import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { minuteOf } from '../../client/contract/dates.ts';
import { money } from '../../client/contract/money.ts';
import {
  creditedSum,
  keepCreditNote,
  makeCreditNote,
  takeCreditedInvoice,
} from '../../server/console/billing/credit-notes.ts';
import { findPaper } from '../../server/console/billing/find-paper.ts';
import { missingLetters } from '../../server/console/billing/invoice-pdf.ts';
import { invoiceDocument, payInvoice } from '../../server/console/billing/invoices.ts';
import { voidInvoice } from '../../server/console/billing/void-invoice.ts';
import { reconcileCharge } from '../../server/console/saas/collect-invoice.ts';
import { settlePage } from '../../server/console/saas/fulfil-checkout.ts';
import type { ConsoleServices } from '../../server/console/services.ts';
import type { Queries } from '../../server/storage/database.ts';
import { invoiceJournal } from './invoice-journal.ts';
import { mostListed, printNewest, requireStatus, runCommand, UsageError } from './open-console.ts';

const usage = `npm run invoice -- list [OPEN|PAID|VOID]       invoices, the newest first
npm run --silent invoice -- journal <month>    invoices and credit notes of a month, such as 2026-11, as CSV
npm run invoice -- paid <number>               records the payment
npm run invoice -- void <number>               makes an unpaid invoice void, with a credit note for its amount
npm run invoice -- credit <number> <amount>    makes a credit note for an amount in USD, such as 50.40, that was
                                               returned outside the payment service, as by a transfer
npm run invoice -- pdf <number> <file.pdf>     writes an invoice or a credit note as PDF`;

const statuses = ['OPEN', 'PAID', 'VOID'] as const;
const row = z.object({
  id: z.string(),
  number: z.string(),
  status: z.enum(statuses),
  late: z.number(),
  total: z.number(),
  created_at: z.number(),
  document: z.string(),
  pay_session: z.string().nullable(),
  uid: z.string(),
  payment_intent: z.string().nullable(),
  credited: z.number(),
  /** Numbers of its credit notes. */
  notes: z.string().nullable(),
});
const [action = 'list', which = '', file = ''] = process.argv.slice(2);

/** Whole cents of an amount such as 50.40, written with a point or without cents. */
function centsOf(amount: string): number {
  const [, whole = '', cents = ''] = /^(\d{1,9})(?:\.(\d\d))?$/.exec(amount) ?? [];
  if (whole === '') throw new UsageError('Name the amount in USD, such as 50 or 50.40.');
  return Number(whole) * 100 + Number(cents);
}

const select = `SELECT id, number, status, late, total, created_at, document, pay_session, uid, payment_intent,
    ${creditedSum} AS credited,
    (SELECT string_agg(number, ' ') FROM credit_note WHERE invoice_id = invoice.id) AS notes
  FROM invoice`;

async function invoiceNamed(queries: Queries): Promise<z.infer<typeof row>> {
  const invoice = await queries.one(row, `${select} WHERE number = $1`, [which]);
  if (!invoice) throw new UsageError(`There is no invoice “${which}”.`);
  return invoice;
}

type Action = (services: ConsoleServices) => Promise<void>;

const list: Action = async ({ database }) => {
  requireStatus(which, statuses);
  const invoices = await database.all(
    row,
    `${select} WHERE $1 = '' OR status = $1 ORDER BY created_at DESC LIMIT ${mostListed(which)}`,
    [which],
  );
  printNewest(
    invoices.map(({ number, status, late, total, credited, notes, created_at, document }) => ({
      number,
      status: status === 'OPEN' && late === 1 ? 'OPEN, late' : status,
      total: money(total, 'USD'),
      refunded: credited === 0 || status === 'VOID' ? '' : money(credited, 'USD'),
      buyer: invoiceDocument.parse(JSON.parse(document)).buyer.email,
      made: minuteOf(created_at),
      notes: notes ?? '',
    })),
    which,
    'a status',
  );
};

const journal: Action = async ({ database }) => {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(which)) throw new UsageError('Name the month, such as 2026-11.');
  console.log(await invoiceJournal(database, which));
};

/** The named invoice, if no card has paid it without a report. */
async function invoiceWithoutPayment(services: ConsoleServices): Promise<z.infer<typeof row>> {
  const invoice = await invoiceNamed(services.database);
  if (
    invoice.status === 'OPEN' &&
    ((await reconcileCharge(services, invoice)) || (await settlePage(services, invoice.pay_session)))
  )
    throw new UsageError(`Invoice ${which} was paid by card, so nothing was changed.`);
  return invoice;
}

const pay: Action = async (services) => {
  const { database, now } = services;
  const invoice = await invoiceWithoutPayment(services);
  const paid = await database.transaction((queries) => payInvoice(queries, invoice.id, now()));
  if (!paid) throw new UsageError(`Invoice ${which} is ${invoice.status}, so nothing was changed.`);
  console.log(`Invoice ${which} is PAID.`);
};

const makeVoid: Action = async (services) => {
  const { id, notes } = await invoiceWithoutPayment(services);
  const number = await services.database.transaction(async (queries) => {
    const taken = await takeCreditedInvoice(queries, id);
    if (taken.status === 'VOID')
      throw new UsageError(`Invoice ${which} is VOID already (${notes ?? 'no credit note'}), so nothing was changed.`);
    if (taken.status === 'PAID')
      throw new UsageError(
        `Invoice ${which} is PAID, so nothing was changed: refund it at the payment service, or return the money in another way and record that with npm run invoice -- credit.`,
      );
    return voidInvoice(queries, services, taken);
  });
  console.log(`Invoice ${which} is VOID: credit note ${number} is made.`);
};

const credit: Action = async (services) => {
  const { id } = await invoiceNamed(services.database);
  const amount = centsOf(file);
  const { number, isNew } = await services.database.transaction(async (queries) => {
    const taken = await takeCreditedInvoice(queries, id);
    if (taken.status !== 'PAID') throw new UsageError(`Invoice ${which} is ${taken.status}, so nothing was changed.`);
    // The note of a refund that failed was for this money.
    const kept = await keepCreditNote(queries, id, amount);
    if (kept !== undefined) return { number: kept, isNew: false };
    const left = taken.total - taken.credited;
    if (amount < 1 || amount > left)
      throw new UsageError(`Of invoice ${which}, ${money(left, 'USD')} can be credited, so nothing was changed.`);
    return { number: await makeCreditNote(queries, services, taken, amount), isNew: true };
  });
  const about = `${money(amount, 'USD')} of invoice ${which}`;
  console.log(
    isNew
      ? `Credit note ${number} is made: ${about}.`
      : `Credit note ${number}, whose refund failed, counts for it: ${about}.`,
  );
};

const writePdf: Action = async ({ database, config }) => {
  const found = await findPaper(database, 'number', which);
  if (!found) throw new UsageError(`There is no invoice or credit note “${which}”.`);
  if (file === '') throw new UsageError('Name the file to write.');
  const { pdf, missing } = await found.draw(config.invoiceFont);
  writeFileSync(file, pdf);
  console.log(`Written: ${file}`);
  if (missing.length > 0) console.error(`${missing.join(' ')}: ${missingLetters}.`);
};

const actions = new Map<string, Action>([
  ['list', list],
  ['journal', journal],
  ['paid', pay],
  ['void', makeVoid],
  ['credit', credit],
  ['pdf', writePdf],
]);

await runCommand(usage, async (services) => {
  const act = actions.get(action);
  if (!act) throw new UsageError(`There is no action “${action}”.`);
  await act(services);
});
