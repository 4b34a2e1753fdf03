import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { accountOf } from '../../account/accounts.ts';
import { changeEmail } from '../../account/change-email.ts';
import { confirmPassword } from '../../account/confirm-password.ts';
import { emailField } from '../../account/targets.ts';
import { ConsoleError } from '../../errors.ts';
import { signedInCall } from '../define-call.ts';
import { kid, password, verifyCode } from '../fields.ts';

const body = z.strictObject({ email: emailField, verifyCode, password, kid });

/** Moves the account to a new e-mail address, verified by a code and confirmed by the password. */
export const updateUserEmail = signedInCall(calls.updateUserEmail, body, async ({ session, body }, services) => {
  const account = await accountOf(services.database, session.uid);
  if (!account) throw new ConsoleError('SIGNED_OUT');
  await confirmPassword(services, account, body.password, body.kid);
  // Sent again, since the answer to this very change was lost; its code is used up.
  if (body.email === account.email) return null;
  await changeEmail(services, account, body.email, body.verifyCode, session);
  return null;
});
