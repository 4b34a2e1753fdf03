import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { askStripe, stripeErrors } from './stripe.ts';

const row = z.object({ customer: z.string(), email: z.string().nullable(), username: z.string() });

/** Schedules, in the caller's transaction, the new address and name for the payment service, which mails receipts. */
export async function tellPayments(queries: Queries, uid: string, now: number): Promise<void> {
  // One task at a time waits per account: bills and charges would wait for all of them.
  await queries.run("DELETE FROM task WHERE kind = 'update-customer' AND payload = $1 AND taken_until = 0", [uid]);
  // A separate key, since a running task may have read the old values.
  await scheduleTask(queries, { kind: 'update-customer', key: randomUUID(), payload: uid, dueAt: now });
}

/** Sends an account's current address and name to the payment service; its payload is the uid. */
export const updateCustomer: TaskHandler = async ({ database, payments }, { payload: uid }) => {
  const found = await database.one(
    row,
    'SELECT customer, email, username FROM stripe_customer JOIN account USING (uid) WHERE uid = $1',
    [uid],
  );
  if (!payments || !found) return undefined;
  const { customer, email, username: name } = found;
  const told = payments.stripe.customers.update(customer, { email: email ?? '', name });
  await askStripe(
    told.catch(async (error: unknown) => {
      const { StripeError } = await stripeErrors();
      // A customer whom the operator deleted there gets no mail from there.
      if (error instanceof StripeError && error.code === 'resource_missing') return undefined;
      throw error;
    }),
  );
  return undefined;
};
