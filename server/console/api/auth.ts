import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { HttpError } from '../../http/errors.ts';
import type { Account } from '../account/accounts.ts';
import { countByAddress, forgiveAttempt, keyOfAddress } from '../account/attempts.ts';
import { beginProvedSession, findSession } from '../account/sessions.ts';
import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import { confirmAddress } from '../sso/confirm-address.ts';
import { finishSignIn } from '../sso/finish.ts';
import { type PublicRequest, publicCall } from './define-call.ts';
import { company, personFields, targetOfPerson, verifyCode } from './fields.ts';

/** Counts failed attempts, and those that ask for an address. */
const limitName = 'sso-address';
const perAddress = { most: 20, windowMs: 60_000 };
const answer = z.string().min(1).max(2048);

const schema = z.strictObject({
  state: z.string().min(1).max(2048),
  code: answer.optional(),
  accessToken: answer.optional(),
  iss: z.string().max(512).optional(),
  requestId: z.string().max(64).optional(),
  ...personFields,
  verifyCode: verifyCode.optional(),
  company,
});

type AuthRequest = PublicRequest<z.infer<typeof schema>>;

/** The account that the body proves to belong to its sender. */
async function prove({ body, token, requestId }: AuthRequest, services: ConsoleServices): Promise<Account> {
  const { state, code, iss, verifyCode } = body;
  if (body.requestId !== undefined) {
    if (verifyCode === undefined) throw missing('verifyCode', 'Please enter the six digits of the code.');
    const target = await targetOfPerson(body);
    return confirmAddress(services, { state, requestId: body.requestId, target, verifyCode, company: body.company });
  }
  if (code !== undefined) {
    const session = await findSession(services.database, token, services.now());
    return finishSignIn(services, { state, code, iss, session, requestId });
  }
  // No sign-in that starts here ends in a token, and a token alone does not say for whom it was issued.
  if (body.accessToken !== undefined) throw new ConsoleError('SSO_FAILED');
  throw missing('code', "The identity provider's answer is missing.");
}

function missing(field: string, sentence: string): HttpError {
  return new HttpError('INVALID_FIELDS', { fields: { [field]: sentence } });
}

/** Finishes a single sign-on: with the provider's answer, or with the code that confirms an address for it. */
export const auth = publicCall(calls.auth, schema, async (request, services) => {
  const { database, secretKey, now } = services;
  // Before anything is compared or requested: each attempt causes work on other servers.
  await countByAddress(services, limitName, request.address, perAddress);
  const account = await prove(request, services);
  await forgiveAttempt(database, keyOfAddress(secretKey, limitName, request.address));
  const begun = await beginProvedSession(database, account, { browser: request.userAgent, now: now() });
  if (!begun) throw new ConsoleError('SSO_FAILED');
  return begun;
});
