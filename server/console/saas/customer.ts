import { z } from 'zod';
import type { ConsoleServices } from '../services.ts';
import { askStripe, internalFault, type Payments, resourceMissing } from './stripe.ts';

const customerRow = z.object({ customer: z.string() });
const accountRow = z.object({ email: z.string().nullable(), username: z.string() });
const faultsRow = z.object({ payment_faults: z.number() });

const isCustomerMissing = (error: unknown) =>
  ['customer', 'id'].includes(resourceMissing.safeParse(error).data?.cause.param ?? '');

/**
 * Asks the payment service about the account's customer there, which is created when first needed, and anew if the
 * service does not know it any more.
 * @param ask `anew` is what to add to an idempotency key, since the service remembers refusals and internal errors too
 */
export async function withCustomer<Answer>(
  services: ConsoleServices,
  payments: Payments,
  uid: string,
  ask: (customer: string, anew: string) => Promise<Answer>,
): Promise<Answer> {
  const { database } = services;
  const found = await database.one(faultsRow, 'SELECT payment_faults FROM account WHERE uid = $1', [uid]);
  const faults = found?.payment_faults ?? 0;
  try {
    return await askAsCustomer(services, payments, uid, faults === 0 ? '' : `-after-${faults}`, ask);
  } catch (error) {
    // Several tries under the same key count once.
    const count = 'UPDATE account SET payment_faults = payment_faults + 1 WHERE uid = $1 AND payment_faults = $2';
    if (internalFault.safeParse(error).success) await database.run(count, [uid, faults]);
    throw error;
  }
}

/** @param again what to add to idempotency keys after internal errors of the service */
async function askAsCustomer<Answer>(
  services: ConsoleServices,
  payments: Payments,
  uid: string,
  again: string,
  ask: (customer: string, anew: string) => Promise<Answer>,
): Promise<Answer> {
  const customer = await customerOf(services, payments, uid, again);
  try {
    return await askStripe(ask(customer, again));
  } catch (error) {
    if (!isCustomerMissing(error)) throw error;
    await services.database.run('DELETE FROM stripe_customer WHERE uid = $1 AND customer = $2', [uid, customer]);
    const made = await customerOf(services, payments, uid, `-${customer}${again}`);
    return await askStripe(ask(made, `-${made}${again}`));
  }
}

async function customerOf(
  { database }: ConsoleServices,
  { stripe }: Payments,
  uid: string,
  anew: string,
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
