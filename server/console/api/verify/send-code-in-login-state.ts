import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { accountOf } from '../../account/accounts.ts';
import { sendCode } from '../../account/send-code.ts';
import { mailTarget, smsTarget } from '../../account/targets.ts';
import { ConsoleError } from '../../errors.ts';
import type { ConsoleServices } from '../../services.ts';
import { type SignedInRequest, signedInCall } from '../define-call.ts';
import { verifyCodeType, verifyType } from '../fields.ts';

const schema = z.strictObject({ verifyType, verifyCodeType });

async function answer({ session, body }: SignedInRequest<z.infer<typeof schema>>, services: ConsoleServices) {
  const account = await accountOf(services.database, session.uid);
  const bySms = body.verifyType === 'SMS_VERIFY_CODE';
  const address = bySms ? account?.phone : account?.email;
  if (!address) throw new ConsoleError(bySms ? 'NO_PHONE' : 'NO_EMAIL');
  return sendCode(services, bySms ? smsTarget(address) : mailTarget(address), body.verifyCodeType);
}

/** Sends a code to the account's own address, at both paths. */
export const sendCodeInLoginStateCalls = [calls.sendCodeInLoginState, calls.sendCodeInLoginStateA].map((path) =>
  signedInCall(path, schema, answer),
);
