import { calls } from '../../../../client/contract/calls.ts';
import { isOwner } from '../../account/owner.ts';
import { ConsoleError } from '../../errors.ts';
import { installationOf } from '../../licensing/installation.ts';
import { noBody, signedInCall } from '../define-call.ts';

/** What this installation is allowed to run, for its owner. */
export const installation = signedInCall(calls.installation, noBody, async ({ session }, services) => {
  if (!(await isOwner(services.database, session.uid))) throw new ConsoleError('NOT_OWNER');
  return installationOf(services);
});
