import { calls } from '../../../../client/contract/calls.ts';
import { identitiesOf } from '../../sso/identities.ts';
import { noBody, signedInCall } from '../define-call.ts';

/** Who signs in to the account by a provider, also by one that is offered no more. */
export const listIdentities = signedInCall(calls.listIdentities, noBody, ({ session }, { database }) =>
  identitiesOf(database, session.uid),
);
