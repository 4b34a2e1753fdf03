import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { HttpError } from '../../../http/errors.ts';
import { countByAddress } from '../../account/attempts.ts';
import { sendCode } from '../../account/send-code.ts';
import { findSession } from '../../account/sessions.ts';
import { mailTarget, phoneField, phoneTarget, type Target } from '../../account/targets.ts';
import { ConsoleError } from '../../errors.ts';
import { publicCall } from '../define-call.ts';
import { personFields, verifyCodeType, verifyType } from '../fields.ts';

const body = z.strictObject({
  email: personFields.email,
  phoneNumber: z.string().max(32).optional(),
  phoneAreaCode: z.string().max(8).optional(),
  verifyType,
  verifyCodeType,
});

async function targetOf({ email, phoneNumber, phoneAreaCode, verifyType }: z.infer<typeof body>): Promise<Target> {
  if (verifyType === 'EMAIL_VERIFY_CODE') {
    if (email !== undefined) return mailTarget(email);
    throw new HttpError('INVALID_FIELDS', { fields: { email: 'Please enter an e-mail address.' } });
  }
  const number = phoneField.safeParse(`${phoneAreaCode ?? ''}${phoneNumber ?? ''}`);
  if (number.success) return phoneTarget(number.data);
  throw new HttpError('INVALID_FIELDS', {
    fields: { phoneNumber: 'Please enter a phone number with its country code.' },
  });
}

/** A whole class may sign up behind one address; a sender who floods other people's numbers is stopped here. */
const perSender = { most: 60, windowMs: 3_600_000 };

const answer: Parameters<typeof publicCall<z.infer<typeof body>>>[2] = async ({ body, token, address }, services) => {
  await countByAddress(services, 'code-address', address, perSender);
  // A new address is confirmed by its owner while they are signed in.
  const signedIn = body.verifyCodeType === 'UPDATE_EMAIL' || body.verifyCodeType === 'SHOW_AUTH_CODE';
  if (signedIn && !(await findSession(services.database, token, services.now()))) throw new ConsoleError('SIGNED_OUT');
  return sendCode(services, await targetOf(body), body.verifyCodeType);
};

/** Sends a code to an address; clients use both paths. */
export const sendCodeCalls = [calls.sendCode, calls.sendCodeShort].map((path) => publicCall(path, body, answer));
