import { calls } from '../../../client/contract/calls.ts';
import { endSession } from '../account/sessions.ts';
import { noBody, publicCall } from './define-call.ts';

/** Ends this session. A dead or missing one is already signed out, so that is a success too. */
export const logout = publicCall(calls.logout, noBody, async ({ token }, { database }) => {
  if (token !== undefined) await endSession(database, token);
  return null;
});
