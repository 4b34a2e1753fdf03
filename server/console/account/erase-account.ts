import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { forgetMessages } from '../messages/forget-messages.ts';
import { leastCardCents } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import { accountOf } from './accounts.ts';
import { isOwner } from './owner.ts';
import { takeTurn } from './take-turn.ts';

/** What would be lost or left behind by erasing an account now: rows of it, and how they are settled. */
const unsettled = [
  {
    rows: 'data_job WHERE uid = $1',
    sentence: 'It has data jobs: its user deletes them in the console, so that nothing of them stays in databases.',
  },
  {
    rows: "licence_order WHERE uid = $1 AND status IN ('WAIT_PAY', 'PAID')",
    sentence: 'It has unfinished orders: confirm or close them (npm run order -- list).',
  },
  {
    rows: "subscription WHERE uid = $1 AND status <> 'CANCELED'",
    sentence:
      'Its subscription has not ended: cancel it (npm run account -- cancel-subscription), then it ends with its month.',
  },
  {
    rows: `(SELECT uid FROM usage_record WHERE bill_id IS NULL UNION ALL SELECT uid FROM bill_sum) AS unbilled
       WHERE uid = $1`,
    sentence: 'It has usage that is not billed yet: the server bills it after midnight UTC.',
  },
  {
    // Less than a card can pay would never be invoiced.
    rows: `bill WHERE uid = $1 AND invoice_id IS NULL GROUP BY uid HAVING sum(due) >= ${leastCardCents}`,
    sentence: 'It has bills without an invoice: the server makes it after the end of the month.',
  },
  {
    rows: "invoice WHERE uid = $1 AND status = 'OPEN'",
    sentence: 'It has open invoices: record their payment, or make them void (npm run invoice -- list OPEN).',
  },
] as const;

/** Tables whose rows tax law keeps; they name the account by its uid alone, invoices also the buyer. */
const kept = ['licence_order', 'licence', 'usage_record', 'bill', 'invoice', 'subscription', 'ended_subscription'];

/** Tables of what belongs to an account alone. */
const erased = [
  'session',
  'identity',
  'api_key',
  'job_admission',
  'data_source',
  'quote',
  'download',
  'auth_code_showing',
  'marketplace_purchase',
  'stripe_customer',
];

const found = z.object({ one: z.number() });
const customerRow = z.object({ customer: z.string() });

/** What became of an account that was to be erased. */
export interface Erasure {
  /** Why it cannot be erased now; if there are any, nothing was. */
  reasons: readonly string[];
  /** Whether orders, bills or invoices stay. */
  keepsBills: boolean;
  /** Its number at the payment service, which keeps data of its own. */
  customer: string | undefined;
}

/** Why an account cannot be erased now, one sentence a reason; empty when it can. */
export async function reasonsAgainstErasing(queries: Queries, uid: string): Promise<string[]> {
  const reasons: string[] = [];
  if (await isOwner(queries, uid))
    reasons.push('It owns this installation: make another account its owner first (npm run account -- own).');
  for (const { rows, sentence } of unsettled) if (await exists(queries, rows, uid)) reasons.push(sentence);
  return reasons;
}

/**
 * Erases everything about an account, in the caller's transaction, except orders, bills and invoices, which tax law
 * keeps: while there are any, the account's row stays without name, address and password.
 */
export async function eraseAccount(
  queries: Queries,
  { secretKey, now }: Pick<ConsoleServices, 'secretKey' | 'now'>,
  uid: string,
): Promise<Erasure> {
  // Before looking: no order, bill or job is made meanwhile.
  await takeTurn(queries, uid);
  const reasons = await reasonsAgainstErasing(queries, uid);
  if (reasons.length > 0) return { reasons, keepsBills: true, customer: undefined };
  await queries.run(
    `DELETE FROM verification_code WHERE target IN
       (SELECT email_key FROM account WHERE uid = $1 UNION SELECT phone FROM account WHERE uid = $1)`,
    [uid],
  );
  const { email, phone } = (await accountOf(queries, uid)) ?? {};
  const targets = [email, phone].filter((target) => typeof target === 'string');
  await forgetMessages(queries, secretKey, uid, targets);
  const paying = await queries.one(customerRow, 'SELECT customer FROM stripe_customer WHERE uid = $1', [uid]);
  for (const table of erased) await queries.run(`DELETE FROM ${table} WHERE uid = $1`, [uid]);
  // What its user typed into rows that stay.
  await queries.run('UPDATE subscription SET cancel_reason = NULL WHERE uid = $1', [uid]);
  await queries.run('UPDATE licence_order SET idempotency_key = NULL WHERE uid = $1', [uid]);
  const keepsBills = await hasAny(queries, kept, uid);
  await queries.run(
    keepsBills
      ? `UPDATE account SET username = 'Erased account', email = NULL, email_key = NULL, email_verified = 0, phone = NULL,
           password_hash = NULL, company = '', country = '', contact_me = 0, source = '', keyword = '', credits = 0, erased_at = $2
         WHERE uid = $1`
      : 'DELETE FROM account WHERE uid = $1',
    keepsBills ? [uid, now()] : [uid],
  );
  return { reasons, keepsBills, customer: paying?.customer };
}

async function hasAny(queries: Queries, tables: readonly string[], uid: string): Promise<boolean> {
  for (const table of tables) if (await exists(queries, `${table} WHERE uid = $1`, uid)) return true;
  return false;
}

async function exists(queries: Queries, rows: string, uid: string): Promise<boolean> {
  return (await queries.one(found, `SELECT 1 AS one FROM ${rows} LIMIT 1`, [uid])) !== undefined;
}
