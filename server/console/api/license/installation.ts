import { calls } from '../../../../client/contract/calls.ts';
import { ConsoleError } from '../../errors.ts';
import { installationOf, isOwner } from '../../licensing/installation.ts';
import { noBody, signedInCall } from '../define-call.ts';

/** What this installation may run, for its owner. */
export const installation = signedInCall(calls.installation, noBody, async ({ session }, services) => {
  if (!(await isOwner(services, session.uid))) throw new ConsoleError('NOT_OWNER');
  return installationOf(services);
});
