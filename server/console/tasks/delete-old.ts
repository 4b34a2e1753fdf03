import { setImmediate } from 'node:timers/promises';
import { dayMs, dayOf } from '../../../client/contract/dates.ts';
import type { Queries } from '../../storage/database.ts';
import { absoluteMs } from '../account/sessions.ts';
import { jobReport } from '../billing/import-usage.ts';
import { keptMs } from '../page-view/page-views.ts';
import type { TaskHandler } from './task-handler.ts';

const hourMs = 3_600_000;
const downloadKeptMs = 365 * dayMs;
/** Usage reported by jobs, after it was billed: the bill's lines have the sums. */
const usageKeptMs = 60 * dayMs;
/** A limit per statement: other work gets its turn in between. */
const mostUsageAtOnce = 5_000;

/**
 * Deletes, every hour, what no call can use any more: ended sessions, used nonces, old codes, quotes, data that waited
 * for a sign-up, checkouts, attempt counts, old job data, and what is kept for a limited time.
 */
export const deleteOld: TaskHandler = async ({ database, deleteOldOfJobs, now }) => {
  await database.run('DELETE FROM session WHERE created_at <= $1', [now() - absoluteMs]);
  await database.run('DELETE FROM used_nonce WHERE expires_at <= $1', [now()]);
  await database.run('DELETE FROM verification_code WHERE expires_at <= $1', [now() - dayMs]);
  await database.run('DELETE FROM quote WHERE expires_at <= $1', [now() - dayMs]);
  await database.run('DELETE FROM used_sso_state WHERE expires_at <= $1', [now()]);
  await database.run('DELETE FROM waiting_identity WHERE expires_at <= $1', [now()]);
  await database.run('DELETE FROM marketplace_reference WHERE expires_at <= $1', [now()]);
  await database.run('DELETE FROM attempt WHERE window_start <= $1', [now() - 2 * dayMs]);
  // After this long the payment service repeats nothing.
  await database.run('DELETE FROM stripe_event WHERE received_at <= $1', [now() - 30 * dayMs]);
  await database.run('DELETE FROM page_view WHERE at <= $1', [now() - keptMs]);
  await database.run('DELETE FROM download WHERE at <= $1', [now() - downloadKeptMs]);
  await deleteOldOfJobs();
  await deleteOldUsage(database, dayOf(now() - usageKeptMs));
  return now() + hourMs;
};

async function deleteOldUsage(database: Queries, upTo: string): Promise<void> {
  let deleted: number;
  do {
    deleted = await database.run(
      `DELETE FROM usage_record WHERE id IN
         (SELECT id FROM usage_record WHERE bill_id IS NOT NULL AND day <= $1 AND id LIKE '${jobReport}%' LIMIT ${mostUsageAtOnce})`,
      [upTo],
    );
    await setImmediate();
  } while (deleted === mostUsageAtOnce);
}
