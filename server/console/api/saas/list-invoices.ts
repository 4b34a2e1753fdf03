import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import type { Invoice } from '../../../../client/contract/console/billing.ts';
import { usd } from '../../money.ts';
import { signAddress } from '../../signed-address.ts';
import { signedInCall } from '../define-call.ts';
import { pageFields } from '../fields.ts';
import { readListPage } from '../read-list-page.ts';

const row = z.object({
  id: z.string(),
  number: z.string(),
  created_at: z.number(),
  total: z.number(),
  status: z.enum(['OPEN', 'PAID', 'VOID']),
});

/** The account's invoices, newest first, each with a PDF address that is valid for one hour. */
export const listInvoices = signedInCall(
  calls.listInvoices,
  z.strictObject(pageFields),
  async ({ session, body }, { database, secretKey, config, now }) => {
    const invoices = await readListPage(
      database,
      {
        row,
        columns: 'id, number, created_at, total, status',
        from: 'invoice',
        where: 'uid = $1',
        parameters: [session.uid],
        orderBy: 'created_at DESC, number DESC',
      },
      body,
    );
    const items = invoices.items.map(
      ({ id, number, created_at: createdAt, total, status }): Invoice => ({
        id,
        number,
        createdAt,
        total: usd(total),
        status,
        pdfUrl: config.publicUrl + signAddress(secretKey, `/invoices/${id}.pdf`, now()).path,
      }),
    );
    return { ...invoices, items };
  },
);
