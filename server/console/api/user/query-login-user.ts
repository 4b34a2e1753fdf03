import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { ConsoleError } from '../../errors.ts';
import { noBody, signedInCall } from '../define-call.ts';

const row = z.object({
  uid: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string(),
  country: z.string(),
  created_at: z.number(),
  credits: z.number(),
  email_verified: z.number(),
});

/** The signed-in user. */
export const queryLoginUser = signedInCall(calls.queryLoginUser, noBody, async ({ session }, { database }) => {
  const found = await database.one(
    row,
    'SELECT uid, username, email, phone, company, country, created_at, credits, email_verified FROM account WHERE uid = $1',
    [session.uid],
  );
  if (!found) throw new ConsoleError('SIGNED_OUT');
  return {
    uid: found.uid,
    username: found.username,
    email: found.email,
    phone: found.phone,
    company: found.company,
    country: found.country,
    createdAt: found.created_at,
    credits: { amount: found.credits, currency: 'USD' },
    emailVerified: found.email_verified === 1,
  };
});
