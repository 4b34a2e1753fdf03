import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { type BillDetail, usageItems } from '../../../../client/contract/console/billing.ts';
import { ConsoleError } from '../../errors.ts';
import { usd } from '../../money.ts';
import { signedInCall } from '../define-call.ts';

const schema = z.strictObject({ id: z.string().min(1).max(64) });
const billRow = z.object({ id: z.string(), day: z.string() });
const lineRow = z.object({
  data_job_id: z.string(),
  data_job_name: z.string(),
  item: z.enum(usageItems),
  units: z.number(),
  unit_size: z.number(),
  unit_price: z.number(),
  amount: z.number(),
});

/** A bill line by line. */
export const getBillingDetail = signedInCall(
  calls.getBillingDetail,
  schema,
  async ({ session, body }, { database }) => {
    const bill = await database.one(billRow, 'SELECT id, day FROM bill WHERE id = $1 AND uid = $2', [
      body.id,
      session.uid,
    ]);
    if (!bill) throw new ConsoleError('NO_BILL');
    const lines = await database.all(
      lineRow,
      `SELECT data_job_id, data_job_name, item, units, unit_size, unit_price, amount FROM bill_line
     WHERE bill_id = $1 ORDER BY position`,
      [bill.id],
    );
    return {
      id: bill.id,
      day: bill.day,
      lines: lines.map((line) => ({
        dataJobId: line.data_job_id,
        dataJobName: line.data_job_name,
        item: line.item,
        rows: line.units,
        unitPrice: usd(line.unit_price),
        unitSize: line.unit_size,
        amount: usd(line.amount),
      })),
    } satisfies BillDetail;
  },
);
