import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { endOtherSessions } from '../../account/sessions.ts';
import { signedInCall } from '../define-call.ts';

const body = z.strictObject({ id: z.string().max(64).optional() });

/** Ends one of the account's sessions, or all but this one. */
export const endSessions = signedInCall(calls.endSessions, body, async ({ session, body }, { database }) => {
  if (body.id === undefined) await endOtherSessions(database, session.uid, session.id);
  else await database.run('DELETE FROM session WHERE uid = $1 AND id = $2', [session.uid, body.id]);
  return null;
});
