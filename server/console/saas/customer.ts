import { z } from 'zod';
import type { ConsoleServices } from '../services.ts';
import { askStripe, type Payments } from './stripe.ts';

const customerRow = z.object({ customer: z.string() });
const accountRow = z.object({ email: z.string().nullable(), username: z.string() });

/** The account's customer at Stripe, created when first needed. */
export async function customerOf({ database }: ConsoleServices, { stripe }: Payments, uid: string): Promise<string> {
  const select = 'SELECT customer FROM stripe_customer WHERE uid = $1';
  const known = await database.one(customerRow, select, [uid]);
  if (known) return known.customer;
  const account = await database.one(accountRow, 'SELECT email, username FROM account WHERE uid = $1', [uid]);
  const made = await askStripe(
    stripe.customers.create(
      { name: account?.username ?? '', metadata: { uid }, ...(account?.email && { email: account.email }) },
      { idempotencyKey: `customer-${uid}` },
    ),
  );
  await database.run('INSERT INTO stripe_customer (uid, customer) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    uid,
    made.id,
  ]);
  const stored = await database.one(customerRow, select, [uid]);
  return stored?.customer ?? made.id;
}
