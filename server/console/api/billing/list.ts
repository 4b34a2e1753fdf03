import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import type { Bill } from '../../../../client/contract/console/billing.ts';
import { usd } from '../../money.ts';
import { signedInCall } from '../define-call.ts';
import { pageFields } from '../fields.ts';

const schema = z.strictObject({ ...pageFields, from: z.iso.date().optional(), to: z.iso.date().optional() });
const countRow = z.object({ n: z.number() });
const row = z.object({
  id: z.string(),
  day: z.string(),
  amount: z.number(),
  credits: z.number(),
  due: z.number(),
  paid: z.number(),
});

/** The account's daily bills, the newest first. */
export const listBilling = signedInCall(calls.listBilling, schema, async ({ session, body }, { database }) => {
  const where = 'bill.uid = $1 AND bill.day >= $2 AND bill.day <= $3';
  const parameters = [session.uid, body.from ?? '', body.to ?? '9999-12-31'];
  const count = await database.one(countRow, `SELECT count(*) AS n FROM bill WHERE ${where}`, parameters);
  const bills = await database.all(
    row,
    `SELECT bill.id, bill.day, bill.amount, bill.credits, bill.due,
       CASE WHEN invoice.status = 'PAID' THEN 1 ELSE 0 END AS paid
     FROM bill LEFT JOIN invoice ON invoice.id = bill.invoice_id
     WHERE ${where} ORDER BY bill.day DESC LIMIT $4 OFFSET $5`,
    [...parameters, body.pageSize, (body.page - 1) * body.pageSize],
  );
  const items = bills.map(
    ({ id, day, amount, credits, due, paid }): Bill => ({
      id,
      day,
      amount: usd(amount),
      credits: usd(credits),
      due: usd(due),
      status: due === 0 ? 'COVERED' : paid === 1 ? 'PAID' : 'OPEN',
    }),
  );
  return { total: count?.n ?? 0, items };
});
