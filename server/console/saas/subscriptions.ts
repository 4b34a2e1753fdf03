import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Subscription } from '../../../client/contract/console/billing.ts';
import { periodEnd } from '../../../client/contract/price-rules.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';
import type { Queries } from '../../storage/database.ts';
import { takeOwnTurn } from '../account/take-turn.ts';
import { ConsoleError } from '../errors.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';

const idRow = z.object({ id: z.string() });
const row = idRow.extend({
  status: z.enum(['ACTIVE', 'PAST_DUE', 'CANCELS_AT_PERIOD_END', 'CANCELED']),
  period_start: z.number(),
  period_end: z.number(),
});
const renewedRow = row.extend({ begun_at: z.number().nullable() });

/** The end of the month that begins at `start`: on the day on which the subscription began, or the month's last day. */
function monthAfter(start: number, begunAt: number): number {
  const [from, begun] = [new Date(start), new Date(begunAt)];
  const months = (from.getUTCFullYear() - begun.getUTCFullYear()) * 12 + from.getUTCMonth() - begun.getUTCMonth();
  return periodEnd(begunAt, { num: months + 1, unit: 'MONTH' });
}

/** Checks that the operator's price list has subscriptions. @throws ConsoleError NOT_SOLD */
export function checkSubscriptionSold({ plans }: Pricing): void {
  if (!plans.some(({ id }) => id === 'cloud')) throw new ConsoleError('NOT_SOLD');
}

/** The account's consent to be billed by usage. */
export async function subscriptionOf(queries: Queries, uid: string): Promise<Subscription> {
  const found = await queries.one(row, 'SELECT id, status, period_start, period_end FROM subscription WHERE uid = $1', [
    uid,
  ]);
  if (!found) return { status: 'NONE' };
  const { id: subscriptionId, status, period_start: periodStart, period_end: periodEndsAt } = found;
  return { subscriptionId, status, periodStart, periodEnd: periodEndsAt };
}

/**
 * Starts a subscription, or undoes its cancellation.
 * @param paymentMethod at the payment service, if there is one
 * @throws ConsoleError SIGNED_OUT if the account was erased
 */
export async function subscribe(queries: Queries, uid: string, now: number, paymentMethod?: string): Promise<void> {
  const id = randomUUID();
  const end = monthAfter(now, now);
  // An invoice may become paid or late at the same time.
  await takeOwnTurn(queries, uid);
  await queries.run(
    `INSERT INTO subscription (id, uid, status, payment_method, begun_at, period_start, period_end)
     VALUES ($1, $2, 'ACTIVE', $3, $4, $4, $5)
     ON CONFLICT (uid) DO UPDATE SET
       begun_at = CASE WHEN subscription.status = 'CANCELED' THEN $4 ELSE subscription.begun_at END,
       period_start = CASE WHEN subscription.status = 'CANCELED' THEN $4 ELSE subscription.period_start END,
       period_end = CASE WHEN subscription.status = 'CANCELED' THEN $5 ELSE subscription.period_end END,
       payment_method = coalesce($3, subscription.payment_method), cancel_reason = NULL,
       cancelled_at = NULL,
       status = CASE WHEN EXISTS (SELECT 1 FROM invoice WHERE uid = $2 AND status = 'OPEN' AND late = 1)
         THEN 'PAST_DUE' ELSE 'ACTIVE' END`,
    [id, uid, paymentMethod ?? null, now, end],
  );
  const { subscriptionId, periodEnd: dueAt } = await subscriptionOf(queries, uid);
  await scheduleTask(queries, {
    kind: 'subscription-period',
    key: subscriptionId ?? id,
    payload: '',
    dueAt: dueAt ?? end,
  });
}

/** Whether a subscription was cancelled after a moment, and not started again since. */
export async function wasCancelledSince(queries: Queries, uid: string, moment: number): Promise<boolean> {
  const found = await queries.one(idRow, 'SELECT id FROM subscription WHERE uid = $1 AND cancelled_at > $2', [
    uid,
    moment,
  ]);
  return found !== undefined;
}

/** Cancels at the end of the period. @throws ConsoleError NO_SUBSCRIPTION */
export async function cancelSubscription(
  queries: Queries,
  { uid, id, reason, now }: { uid: string; id: string; reason: string; now: number },
): Promise<Subscription> {
  const changed = await queries.run(
    `UPDATE subscription SET status = 'CANCELS_AT_PERIOD_END', cancel_reason = $1, cancelled_at = $2
     WHERE uid = $3 AND id = $4 AND status IN ('ACTIVE', 'PAST_DUE', 'CANCELS_AT_PERIOD_END')`,
    [reason, now, uid, id],
  );
  if (changed === 0) throw new ConsoleError('NO_SUBSCRIPTION');
  return subscriptionOf(queries, uid);
}

/**
 * Ends or renews a subscription when its period is over; its key is the subscription's id. Subscribing meanwhile waits,
 * and finds it renewed, or ended together with this task, so a new period gets its own task.
 */
export const endPeriod: TaskHandler = ({ database, now }, { key }) =>
  database.transaction(async (queries) => {
    const found = await queries.one(
      renewedRow,
      'UPDATE subscription SET status = status WHERE id = $1 RETURNING id, status, begun_at, period_start, period_end',
      [key],
    );
    if (!found || found.status === 'CANCELED') return undefined;
    if (found.period_end > now()) return found.period_end;
    if (found.status === 'CANCELS_AT_PERIOD_END') {
      await queries.run("UPDATE subscription SET status = 'CANCELED' WHERE id = $1", [key]);
      await queries.run(
        `INSERT INTO ended_subscription (uid, begun_at, ended_at)
         SELECT uid, coalesce(begun_at, period_start), period_end FROM subscription WHERE id = $1`,
        [key],
      );
      await queries.run("DELETE FROM task WHERE kind = 'subscription-period' AND task_key = $1", [key]);
      return undefined;
    }
    const begunAt = found.begun_at ?? found.period_start;
    const end = monthAfter(found.period_end, begunAt);
    await queries.run(
      'UPDATE subscription SET begun_at = $1, period_start = period_end, period_end = $2 WHERE id = $3',
      [begunAt, end, key],
    );
    return end;
  });
