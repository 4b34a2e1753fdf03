import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { accountOf } from '../../account/accounts.ts';
import { confirmPassword, isAlreadySet } from '../../account/confirm-password.ts';
import { hashGood } from '../../account/new-password.ts';
import { readPassword } from '../../account/password-key.ts';
import { holdSignedIn } from '../../account/sessions.ts';
import { setPassword } from '../../account/set-password.ts';
import { ConsoleError } from '../../errors.ts';
import { signedInCall } from '../define-call.ts';
import { kid, password } from '../fields.ts';

const body = z.strictObject({ oldPassword: password, password, kid });

/** Sets a new password, given the old one; every other session ends. A repeat with the same new one changes nothing. */
export const changePassword = signedInCall(calls.changePassword, body, async ({ session, body }, services) => {
  const account = await accountOf(services.database, session.uid);
  if (!account) throw new ConsoleError('SIGNED_OUT');
  const wanted = await readPassword(services, body.password, body.kid);
  try {
    await confirmPassword(services, account, body.oldPassword, body.kid);
  } catch (error) {
    // Sent again, since the answer to this very change was lost.
    if (await isAlreadySet(services, account, wanted)) return null;
    throw error;
  }
  const passwordHash = await hashGood(wanted);
  await services.database.transaction(async (queries) => {
    await holdSignedIn(queries, account, session);
    await setPassword(queries, services, account, { passwordHash, keep: session.id });
  });
  return null;
});
