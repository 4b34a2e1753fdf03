import { z } from 'zod';
import type { ConsoleServices } from '../services.ts';
import { askStripe, type Payments, resourceMissing } from './stripe.ts';

const customerRow = z.object({ customer: z.string() });
const accountRow = z.object({ email: z.string().nullable(), username: z.string() });

const isCustomerMissing = (error: unknown) =>
  ['customer', 'id'].includes(resourceMissing.safeParse(error).data?.cause.param ?? '');

/**
 * Asks the payment service about the account's customer there, which is created when first needed, and anew if the
 * service does not know it any more.
 * @param ask `anew` is what to add to an idempotency key, since the service remembers refusals too
 */
export async function withCustomer<Answer>(
  services: ConsoleServices,
  payments: Payments,
  uid: string,
  ask: (customer: string, anew: string) => Promise<Answer>,
): Promise<Answer> {
  const customer = await customerOf(services, payments, uid);
  try {
    return await askStripe(ask(customer, ''));
  } catch (error) {
    if (!isCustomerMissing(error)) throw error;
    await services.database.run('DELETE FROM stripe_customer WHERE uid = $1 AND customer = $2', [uid, customer]);
    const made = await customerOf(services, payments, uid, `-${customer}`);
    return await askStripe(ask(made, `-${made}`));
  }
}

async function customerOf(
  { database }: ConsoleServices,
  { stripe }: Payments,
  uid: string,
  anew = '',
): Promise<string> {
  const select = 'SELECT customer FROM stripe_customer WHERE uid = $1';
  const known = await database.one(customerRow, select, [uid]);
  if (known) return known.customer;
  const account = await database.one(accountRow, 'SELECT email, username FROM account WHERE uid = $1', [uid]);
  const made = await askStripe(
    stripe.customers.create(
      { name: account?.username ?? '', metadata: { uid }, ...(account?.email && { email: account.email }) },
      { idempotencyKey: `customer-${uid}${anew}` },
    ),
  );
  await database.run('INSERT INTO stripe_customer (uid, customer) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    uid,
    made.id,
  ]);
  const stored = await database.one(customerRow, select, [uid]);
  return stored?.customer ?? made.id;
}
