import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import type { Invoice } from '../../../../client/contract/console/billing.ts';
import { usd } from '../../money.ts';
import { signAddress } from '../../signed-address.ts';
import { signedInCall } from '../define-call.ts';
import { pageFields } from '../fields.ts';

const countRow = z.object({ n: z.number() });
const row = z.object({
  id: z.string(),
  number: z.string(),
  created_at: z.number(),
  total: z.number(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
});

/** The account's invoices, the newest first, each with an address of its PDF that is valid for one hour. */
export const listInvoices = signedInCall(
  calls.listInvoices,
  z.strictObject(pageFields),
  async ({ session, body }, { database, secretKey, config, now }) => {
    const count = await database.one(countRow, 'SELECT count(*) AS n FROM invoice WHERE uid = $1', [session.uid]);
    const invoices = await database.all(
      row,
      'SELECT id, number, created_at, total, status FROM invoice WHERE uid = $1 ORDER BY created_at DESC, number DESC LIMIT $2 OFFSET $3',
      [session.uid, body.pageSize, (body.page - 1) * body.pageSize],
    );
    const items = invoices.map(
      ({ id, number, created_at: createdAt, total, status }): Invoice => ({
        id,
        number,
        createdAt,
        total: usd(total),
        status,
        pdfUrl: config.publicUrl + signAddress(secretKey, `/invoices/${id}.pdf`, now()).path,
      }),
    );
    return { total: count?.n ?? 0, items };
  },
);
