import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { holdAccount } from '../account/accounts.ts';
import { takeCode } from '../account/codes.ts';
import { hashNewPassword } from '../account/new-password.ts';
import { setPassword } from '../account/set-password.ts';
import { ConsoleError } from '../errors.ts';
import { publicCall } from './define-call.ts';
import { kid, password, personFields, targetOfPerson, verifyCode } from './fields.ts';

const body = z.strictObject({ ...personFields, verifyCode, password, kid });

/** Sets a new password, given the code that was sent to the account's address; every session ends. */
export const resetPasswordUnlogin = publicCall(calls.resetPasswordUnlogin, body, async ({ body }, services) => {
  const { database, secretKey, now } = services;
  const target = await targetOfPerson(body);
  const passwordHash = await hashNewPassword(services, body);
  const right = await takeCode(database, target, 'RESET_PASSWORD', body.verifyCode, { secretKey, now: now() });
  await database.transaction(async (queries) => {
    // The address may have left the account since the code was sent.
    const account = right ? await holdAccount(queries, target) : undefined;
    if (!account) throw new ConsoleError('BAD_CODE');
    await setPassword(queries, services, account, { passwordHash });
  });
  return null;
});
