import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { isOwner } from '../../account/owner.ts';
import { ConsoleError } from '../../errors.ts';
import { installLicence } from '../../licensing/installation.ts';
import { signedInCall } from '../define-call.ts';

const schema = z.strictObject({
  authCode: z.string().trim().min(1, 'Please enter the authorization code.').max(4000),
});

/** Installs an authorization code, which is verified offline. */
export const install = signedInCall(calls.install, schema, async ({ session, body }, services) => {
  if (!(await isOwner(services.database, session.uid))) throw new ConsoleError('NOT_OWNER');
  return installLicence(services, body.authCode);
});
