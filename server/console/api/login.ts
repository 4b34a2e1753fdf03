import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { findAccount } from '../account/accounts.ts';
import { takeCode } from '../account/codes.ts';
import { readPassword } from '../account/password-key.ts';
import { signInByPassword } from '../account/password-sign-in.ts';
import { beginProvedSession } from '../account/sessions.ts';
import { targetOf } from '../account/targets.ts';
import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import { type PublicRequest, publicCall } from './define-call.ts';
import { kid, line, password, verifyCode, verifyType } from './fields.ts';

const account = line(254).min(1, 'Please enter your e-mail address or phone number.');
const schema = z.discriminatedUnion('loginType', [
  z.strictObject({ loginType: z.literal('PASSWORD'), account, password, kid, verifyType: verifyType.optional() }),
  z.strictObject({ loginType: z.literal('VERIFY'), account, verifyCode, verifyType: verifyType.optional() }),
]);

/** The account that the body proves to belong to its sender. */
async function prove({ body, address }: PublicRequest<z.infer<typeof schema>>, services: ConsoleServices) {
  const { database, secretKey, now } = services;
  const target = await targetOf(body.account);
  if (body.loginType === 'PASSWORD') {
    return signInByPassword(services, target, await readPassword(services, body.password, body.kid), address);
  }
  const found = await findAccount(database, target);
  const right = await takeCode(database, target, 'LOGIN', body.verifyCode, { secretKey, now: now() });
  return right ? found : undefined;
}

/** Signs in by password or by a code that was sent. */
export const login = publicCall(calls.login, schema, async (request, services) => {
  const found = await prove(request, services);
  const about = { browser: request.userAgent, now: services.now() };
  const begun = found && (await beginProvedSession(services.database, found, about));
  if (!begun) throw new ConsoleError('BAD_CREDENTIALS');
  return begun;
});
