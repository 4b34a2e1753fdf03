import { z } from 'zod';
import { type UsageItem, usageItems } from '../../../client/contract/console/billing.ts';
import { dayMs, dayOf } from '../../../client/contract/dates.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';
import type { Queries } from '../../storage/database.ts';
import type { ConsoleServices } from '../services.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { type Billed, eachAccount } from './each-account.ts';
import { makeMonthlyInvoices } from './monthly-invoices.ts';
import { lineAmount, notePrices, type UnitPrice, unitPrice } from './prices.ts';
import { takeUsage } from './take-usage.ts';

const hourMs = 3_600_000;
const uidRow = z.object({ uid: z.string() });
const billRow = z.object({ id: z.string() });
const sumRow = z.object({
  day: z.string(),
  data_job_id: z.string(),
  data_job_name: z.string(),
  item: z.enum(usageItems),
  units: z.number(),
  cents: z.number().nullable(),
  unit_size: z.number().nullable(),
});
const creditsRow = z.object({ credits: z.number() });

/**
 * Creates the bill for the day before, one per account, from all usage not yet billed: usage that is reported late goes
 * into the next bill. Running it twice changes nothing.
 */
export async function makeDailyBills(services: ConsoleServices): Promise<Billed> {
  const day = dayOf(services.now() - dayMs);
  return eachAccount(services, {
    // An account whose usage was taken before its process died may have none left.
    accounts: `SELECT uid FROM account WHERE NOT EXISTS (SELECT 1 FROM bill WHERE bill.uid = account.uid AND day = $1)
       AND (EXISTS (SELECT 1 FROM usage_record WHERE usage_record.uid = account.uid AND bill_id IS NULL AND day <= $1)
         OR EXISTS (SELECT 1 FROM bill_sum WHERE bill_sum.uid = account.uid))
     ORDER BY uid`,
    parameters: [day],
    what: 'the bill',
    make: (queries, uid) => makeBill(queries, services, uid, day),
  });
}

/** @returns whether it is done; if not, the next transaction continues */
async function makeBill(
  queries: Queries,
  { pricing, now }: ConsoleServices,
  uid: string,
  day: string,
): Promise<boolean> {
  // Another server may have created it meanwhile.
  if (await queries.one(billRow, 'SELECT id FROM bill WHERE uid = $1 AND day = $2', [uid, day])) return true;
  const id = await takeUsage(queries, uid, day);
  if (id === undefined) return false;
  const sums = await queries.all(
    sumRow,
    `SELECT data_job_id, day, data_job_name, item, units, ${noted('cents')} AS cents, ${noted('unit_size')} AS unit_size
     FROM bill_sum WHERE uid = $1 ORDER BY data_job_id, item, day`,
    [uid],
  );
  const lines = linesOf(sums, pricing, await subscribedDays(queries, uid, new Set(sums.map((sum) => sum.day))));
  const amount = lines.reduce((sum, { units, price }) => sum + lineAmount(units, price), 0);
  const agreed = lines.reduce((sum, { agreedUnits, price }) => sum + lineAmount(agreedUnits, price), 0);
  const credits = await takeCredits(queries, uid, amount);
  await queries.run(
    'INSERT INTO bill (id, uid, day, amount, credits, due, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [id, uid, day, amount, credits, Math.max(0, agreed - credits), now()],
  );
  for (const [position, { jobId, jobName, item, units, price }] of lines.entries())
    await queries.run(
      `INSERT INTO bill_line (bill_id, position, data_job_id, data_job_name, item, units, unit_size, unit_price, amount)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, position, jobId, jobName, item, units, price.unitSize, price.cents, lineAmount(units, price)],
    );
  await queries.run('DELETE FROM bill_sum WHERE uid = $1', [uid]);
  return true;
}

/** The price recorded for the day of a sum; NULL for days before prices were recorded. */
function noted(column: 'cents' | 'unit_size'): string {
  return `(SELECT ${column} FROM cloud_price WHERE cloud_price.item = bill_sum.item
    AND cloud_price.day <= bill_sum.day ORDER BY cloud_price.day DESC LIMIT 1)`;
}

interface Line {
  jobId: string;
  jobName: string;
  item: UsageItem;
  price: UnitPrice;
  units: number;
  /** The units moved on a day with a subscription. */
  agreedUnits: number;
}

/** One line per job, kind of work and price, under the job's newest name. @param sums in order of days */
function linesOf(sums: readonly z.infer<typeof sumRow>[], pricing: Pricing, subscribed: ReadonlySet<string>): Line[] {
  const lines = new Map<string, Line>();
  for (const { data_job_id: jobId, data_job_name: jobName, item, day, units, cents, unit_size: unitSize } of sums) {
    const price = cents === null || unitSize === null ? unitPrice(item, pricing) : { cents, unitSize };
    const key = JSON.stringify([jobId, item, price.cents, price.unitSize]);
    const line = lines.get(key) ?? { jobId, jobName, item, price, units: 0, agreedUnits: 0 };
    lines.set(key, line);
    line.jobName = jobName;
    line.units += units;
    if (subscribed.has(day)) line.agreedUnits += units;
  }
  return [...lines.values()];
}

/**
 * The days (YYYY-MM-DD) during which an account had a subscription at some time. It is the consent to be billed for
 * that day: without one, only credits are used.
 */
async function subscribedDays(queries: Queries, uid: string, days: ReadonlySet<string>): Promise<Set<string>> {
  const subscribed = new Set<string>();
  for (const day of days) {
    const begin = Date.parse(day);
    // A cancelled subscription may be over before its task has ended it.
    const found = await queries.one(
      uidRow,
      `SELECT uid FROM subscription WHERE uid = $1 AND coalesce(begun_at, period_start) < $2
         AND (status IN ('ACTIVE', 'PAST_DUE') OR period_end > $3)
       UNION SELECT uid FROM ended_subscription WHERE uid = $1 AND begun_at < $2 AND ended_at > $3`,
      [uid, begin + dayMs, begin],
    );
    if (found) subscribed.add(day);
  }
  return subscribed;
}

/** Uses the account's credits, up to an amount; called in the account's turn. @returns how many were used */
async function takeCredits(queries: Queries, uid: string, amount: number): Promise<number> {
  const held = await queries.one(creditsRow, 'SELECT credits FROM account WHERE uid = $1', [uid]);
  const wanted = Math.min(held?.credits ?? 0, amount);
  await queries.run('UPDATE account SET credits = credits - $1 WHERE uid = $2', [wanted, uid]);
  return wanted;
}

/**
 * Creates bills and invoices, checked every hour; each day and month is done once.
 * @throws when some accounts failed: they are then retried before the hour is over
 */
export const billTask: TaskHandler = async (services) => {
  await notePrices(services);
  const bills = await makeDailyBills(services);
  const invoices = await makeMonthlyInvoices(services);
  if (bills.made + invoices.made > 0)
    services.log.info({ bills: bills.made, invoices: invoices.made }, 'bills and invoices were created');
  const failed = bills.failed + invoices.failed;
  if (failed > 0) throw new Error(`${failed} bills and invoices could not be created.`);
  return services.now() + hourMs;
};
