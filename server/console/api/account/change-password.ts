import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { accountOf } from '../../account/accounts.ts';
import { confirmPassword } from '../../account/confirm-password.ts';
import { hashNewPassword } from '../../account/new-password.ts';
import { holdSignedIn } from '../../account/sessions.ts';
import { setPassword } from '../../account/set-password.ts';
import { ConsoleError } from '../../errors.ts';
import { signedInCall } from '../define-call.ts';
import { kid, password } from '../fields.ts';

const body = z.strictObject({ oldPassword: password, password, kid });

/** Sets a new password, given the old one; every other session ends. */
export const changePassword = signedInCall(calls.changePassword, body, async ({ session, body }, services) => {
  const account = await accountOf(services.database, session.uid);
  if (!account) throw new ConsoleError('SIGNED_OUT');
  await confirmPassword(services, account, body.oldPassword, body.kid);
  const passwordHash = await hashNewPassword(services, body);
  await services.database.transaction(async (queries) => {
    await holdSignedIn(queries, account, session);
    await setPassword(queries, services, account, { passwordHash, keep: session.id });
  });
  return null;
});
