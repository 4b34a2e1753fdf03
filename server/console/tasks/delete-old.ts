import { dayMs, dayOf } from '../../../client/contract/dates.ts';
import { absoluteMs } from '../account/sessions.ts';
import { jobReport } from '../billing/import-usage.ts';
import { keptMs } from '../page-view/page-views.ts';
import { type Deletion, deleteEach, mostAtOnce } from './delete-each.ts';
import type { TaskHandler } from './task-handler.ts';

const hourMs = 3_600_000;
const downloadKeptMs = 365 * dayMs;
/** Usage reported by jobs, after it was billed: the bill's lines have the sums. */
const usageKeptMs = 60 * dayMs;

/**
 * Deletes, every hour, what no call can use any more: ended sessions, used nonces, old codes, quotes, data that waited
 * for a sign-up, checkouts, attempt counts, old job data, and what is kept for a limited time.
 */
export const deleteOld: TaskHandler = async ({ database, log, now, oldRowsOfJobs }) => {
  await deleteEach(database, log, [...oldRows(now), ...oldRowsOfJobs()]);
  return now() + hourMs;
};

function oldRows(now: () => number): Deletion[] {
  const viewsUpTo = now() - keptMs;
  return [
    ['DELETE FROM session WHERE created_at <= $1', [now() - absoluteMs]],
    ['DELETE FROM used_nonce WHERE expires_at <= $1', [now()]],
    ['DELETE FROM verification_code WHERE expires_at <= $1', [now() - dayMs]],
    ['DELETE FROM quote WHERE expires_at <= $1', [now() - dayMs]],
    ['DELETE FROM used_sso_state WHERE expires_at <= $1', [now()]],
    ['DELETE FROM waiting_identity WHERE expires_at <= $1', [now()]],
    ['DELETE FROM marketplace_reference WHERE expires_at <= $1', [now()]],
    ['DELETE FROM attempt WHERE window_start <= $1', [now() - 2 * dayMs]],
    // After this long the payment service repeats nothing.
    ['DELETE FROM stripe_event WHERE received_at <= $1', [now() - 30 * dayMs]],
    [
      // By day, which has the index, from the oldest on.
      `DELETE FROM page_view WHERE id IN
         (SELECT id FROM page_view WHERE day <= $1 AND at <= $2 ORDER BY day LIMIT ${mostAtOnce})`,
      [dayOf(viewsUpTo), viewsUpTo],
    ],
    ['DELETE FROM download WHERE at <= $1', [now() - downloadKeptMs]],
    [
      `DELETE FROM usage_record WHERE id IN
         (SELECT id FROM usage_record WHERE bill_id IS NOT NULL AND day <= $1 AND id LIKE '${jobReport}%' LIMIT ${mostAtOnce})`,
      [dayOf(now() - usageKeptMs)],
    ],
  ];
}
