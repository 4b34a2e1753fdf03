import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';
import { askStripe, stripeErrors } from './stripe.ts';

const row = z.object({ customer: z.string(), email: z.string().nullable(), username: z.string() });

/** Has the payment service told an account's new address or name, in the caller's transaction: it mails receipts there. */
export function tellPayments(queries: Queries, uid: string, now: number): Promise<void> {
  // A key of its own, since one that is under way may have read what was before.
  return scheduleTask(queries, { kind: 'update-customer', key: randomUUID(), payload: uid, dueAt: now });
}

/** Tells the payment service the address and name that an account has now; its payload is the uid. */
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
      // Whom the operator deleted there gets no mail from there.
      if (error instanceof StripeError && error.code === 'resource_missing') return undefined;
      throw error;
    }),
  );
  return undefined;
};
