import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import type { Bill } from '../../../../client/contract/console/billing.ts';
import { usd } from '../../money.ts';
import { signedInCall } from '../define-call.ts';
import { pageFields } from '../fields.ts';
import { readListPage } from '../read-list-page.ts';

const schema = z.strictObject({ ...pageFields, from: z.iso.date().optional(), to: z.iso.date().optional() });
const row = z.object({
  id: z.string(),
  day: z.string(),
  amount: z.number(),
  credits: z.number(),
  due: z.number(),
  invoice_status: z.enum(['OPEN', 'PAID', 'VOID']).nullable(),
});

/** The account's daily bills, newest first. */
export const listBilling = signedInCall(calls.listBilling, schema, async ({ session, body }, { database }) => {
  const bills = await readListPage(
    database,
    {
      row,
      columns: `bill.id, bill.day, bill.amount, bill.credits, bill.due,
        invoice.status AS invoice_status`,
      from: 'bill LEFT JOIN invoice ON invoice.id = bill.invoice_id',
      where: 'bill.uid = $1 AND bill.day >= $2 AND bill.day <= $3',
      parameters: [session.uid, body.from ?? '', body.to ?? '9999-12-31'],
      orderBy: 'bill.day DESC',
    },
    body,
  );
  const items = bills.items.map(
    ({ id, day, amount, credits, due, invoice_status: status }): Bill => ({
      id,
      day,
      amount: usd(amount),
      credits: usd(credits),
      due: usd(due),
      status: due === 0 ? 'COVERED' : (status ?? 'OPEN'),
    }),
  );
  return { ...bills, items };
});
