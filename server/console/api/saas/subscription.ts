import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { ConsoleError } from '../../errors.ts';
import { chargeCard, listCards } from '../../saas/cards.ts';
import { checkSubscriptionSold, subscribe, subscriptionOf } from '../../saas/subscriptions.ts';
import { signedInCall } from '../define-call.ts';

const schema = z.strictObject({
  action: z.enum(['READ', 'SUBSCRIBE']).default('READ'),
  paymentMethodId: z.string().max(128).optional(),
});

/**
 * Reads or starts the subscription. It is the consent to be billed by usage and has no price of its own. If cards are
 * accepted it needs one; otherwise its invoices are paid by transfer.
 */
export const subscription = signedInCall(calls.subscription, schema, async ({ session, body }, services) => {
  const { database, payments, pricing, now } = services;
  if (body.action === 'SUBSCRIBE') {
    checkSubscriptionSold(pricing);
    const card = payments && (await listCards(services, session.uid)).find(({ id }) => id === body.paymentMethodId);
    if (payments && !card) throw new ConsoleError('NO_CARD');
    if (payments && card && !card.isDefault) await chargeCard(services, payments, session.uid, card.id);
    await database.transaction((queries) => subscribe(queries, session.uid, now(), card?.id));
  }
  return subscriptionOf(database, session.uid);
});
