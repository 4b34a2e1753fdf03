import { calls } from '../../../../client/contract/calls.ts';
import { identitiesOf } from '../../sso/identities.ts';
import { noBody, signedInCall } from '../define-call.ts';

/** The identities that can sign in to the account, including those of providers no longer offered. */
export const listIdentities = signedInCall(calls.listIdentities, noBody, ({ session }, { database }) =>
  identitiesOf(database, session.uid),
);
