import { calls } from '../../../../client/contract/calls.ts';
import { listCards } from '../../saas/cards.ts';
import { noBody, signedInCall } from '../define-call.ts';

/** The account's cards. */
export const listPaymentMethods = signedInCall(calls.listPaymentMethods, noBody, ({ session }, services) =>
  listCards(services, session.uid),
);
