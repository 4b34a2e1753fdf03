import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { leastCardCents } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import { type Billed, eachAccount } from './each-account.ts';
import { makeInvoice } from './invoices.ts';

const billRow = z.object({ id: z.string(), day: z.string(), due: z.number() });

/** The month before that of a moment, YYYY-MM in UTC. */
function monthBefore(moment: number): string {
  const date = new Date(moment);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/**
 * Creates last month's invoice for every account with bills that credits did not cover; amounts too small for a card
 * wait for the next month. Running it twice changes nothing.
 */
export async function makeMonthlyInvoices(services: ConsoleServices): Promise<Billed> {
  const month = monthBefore(services.now());
  return eachAccount(services, {
    // As floating point: one damaged sum must not fail the query for all.
    accounts: `SELECT uid FROM bill WHERE due > 0 AND invoice_id IS NULL AND day < $1
     AND uid NOT IN (SELECT uid FROM invoice WHERE month = $2)
     GROUP BY uid HAVING sum(CAST(due AS DOUBLE PRECISION)) >= $3 ORDER BY uid`,
    parameters: [`${month}-99`, month, leastCardCents],
    what: 'the invoice',
    make: (queries, uid) => invoiceMonth(queries, services, uid, month),
  });
}

async function invoiceMonth(queries: Queries, services: ConsoleServices, uid: string, month: string): Promise<true> {
  const bills = await queries.all(
    billRow,
    'SELECT id, day, due FROM bill WHERE uid = $1 AND due > 0 AND invoice_id IS NULL AND day < $2 ORDER BY day',
    [uid, `${month}-99`],
  );
  // Another server has created it.
  if (bills.length === 0) return true;
  const lines = bills.map(({ day, due }) => ({ text: `Usage on ${day}`, amount: due }));
  const id = await makeInvoice(queries, services, { uid, month, lines, status: 'OPEN' });
  await queries.run('UPDATE bill SET invoice_id = $1 WHERE uid = $2 AND due > 0 AND invoice_id IS NULL AND day < $3', [
    id,
    uid,
    `${month}-99`,
  ]);
  return true;
}
