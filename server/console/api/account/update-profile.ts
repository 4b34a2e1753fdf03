import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { takeOwnTurn } from '../../account/take-turn.ts';
import { tellPayments } from '../../saas/update-customer.ts';
import { signedInCall } from '../define-call.ts';
import { country, line, userName } from '../fields.ts';

const nameRow = z.object({ username: z.string() });
const body = z.strictObject({
  userName: userName.optional(),
  company: line(128).optional(),
  country: country.unwrap().optional(),
});

/** Changes the account's details about its owner; fields that are not sent stay unchanged. */
export const updateProfile = signedInCall(calls.updateProfile, body, async ({ session, body }, { database, now }) => {
  await database.transaction(async (queries) => {
    await takeOwnTurn(queries, session.uid);
    const before = await queries.one(nameRow, 'SELECT username FROM account WHERE uid = $1', [session.uid]);
    await queries.run(
      `UPDATE account SET username = coalesce($1, username), company = coalesce($2, company),
       country = coalesce($3, country) WHERE uid = $4`,
      [body.userName ?? null, body.company ?? null, body.country ?? null, session.uid],
    );
    if (body.userName !== undefined && body.userName !== before?.username)
      await tellPayments(queries, session.uid, now());
  });
  return null;
});
