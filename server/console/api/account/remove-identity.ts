import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { mailOwner } from '../../account/mail-owner.ts';
import { endOtherSessions } from '../../account/sessions.ts';
import { removeIdentity as remove } from '../../sso/identities.ts';
import { providerRemoved } from '../../sso/mails.ts';
import { signedInCall } from '../define-call.ts';

const body = z.strictObject({ issuer: z.string().max(2_000), subject: z.string().max(2_000) });

/**
 * Disconnects an identity from the account, and ends every other session, one of which may be that identity's; the
 * owner is notified by mail. Does nothing if it was not connected.
 */
export const removeIdentity = signedInCall(calls.removeIdentity, body, async ({ session, body }, services) => {
  await services.database.transaction(async (queries) => {
    if (!(await remove(queries, body, session.uid))) return;
    await endOtherSessions(queries, session.uid, session.id);
    await mailOwner(queries, services, { kind: 'sign-in-removed', uid: session.uid }, (email) =>
      providerRemoved(services, email, body.issuer),
    );
  });
  return null;
});
