import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { minuteOf } from '../../client/contract/dates.ts';
import { money } from '../../client/contract/money.ts';
import { invoicePdf, missingLetters } from '../../server/console/billing/invoice-pdf.ts';
import { invoiceDocument, payInvoice } from '../../server/console/billing/invoices.ts';
import { reconcileCharge } from '../../server/console/saas/collect-invoice.ts';
import { settlePage } from '../../server/console/saas/fulfil-checkout.ts';
import { printTable, requireStatus, runCommand, UsageError } from './open-console.ts';

const usage = `npm run invoice -- list [OPEN|PAID|VOID]       invoices, the newest first
npm run invoice -- paid <number>               records the payment
npm run invoice -- pdf <number> <file.pdf>     writes it as PDF`;

const statuses = ['OPEN', 'PAID', 'VOID'] as const;
const row = z.object({
  id: z.string(),
  number: z.string(),
  status: z.enum(statuses),
  total: z.number(),
  created_at: z.number(),
  document: z.string(),
  pay_session: z.string().nullable(),
  uid: z.string(),
  payment_intent: z.string().nullable(),
});
const [action = 'list', which = '', file = ''] = process.argv.slice(2);

await runCommand(usage, async (services) => {
  const { database, config, now } = services;
  const select =
    'SELECT id, number, status, total, created_at, document, pay_session, uid, payment_intent FROM invoice';
  if (!['list', 'paid', 'pdf'].includes(action)) throw new UsageError(`There is no action “${action}”.`);
  if (action === 'list') {
    requireStatus(which, statuses);
    const invoices = await database.all(
      row,
      `${select} WHERE $1 = '' OR status = $1 ORDER BY created_at DESC LIMIT 200`,
      [which],
    );
    return printTable(
      invoices.map(({ number, status, total, created_at, document }) => ({
        number,
        status,
        total: money(total, 'USD'),
        buyer: invoiceDocument.parse(JSON.parse(document)).buyer.email,
        made: minuteOf(created_at),
      })),
    );
  }
  const invoice = await database.one(row, `${select} WHERE number = $1`, [which]);
  if (!invoice) throw new UsageError(`There is no invoice “${which}”.`);
  if (action === 'paid') {
    if (
      invoice.status === 'OPEN' &&
      ((await reconcileCharge(services, invoice)) || (await settlePage(services, invoice.pay_session)))
    )
      throw new UsageError(`Invoice ${which} was paid by card, so nothing was changed.`);
    const paid = await database.transaction((queries) => payInvoice(queries, invoice.id, now()));
    if (!paid) throw new UsageError(`Invoice ${which} is ${invoice.status}, so nothing was changed.`);
    return console.log(`Invoice ${which} is PAID.`);
  }
  if (file === '') throw new UsageError('Name the file to write.');
  const head = { number: invoice.number, createdAt: invoice.created_at, status: invoice.status };
  const document = invoiceDocument.parse(JSON.parse(invoice.document));
  const { pdf, missing } = await invoicePdf(head, document, config.invoiceFont);
  writeFileSync(file, pdf);
  console.log(`Written: ${file}`);
  if (missing.length > 0) console.error(`${missing.join(' ')}: ${missingLetters}.`);
});
