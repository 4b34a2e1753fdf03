import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { HttpError } from '../../../http/errors.ts';
import { orderOf } from '../../licensing/orders.ts';
import { listCards } from '../../saas/cards.ts';
import { addCard, manageCards, payInvoiceByCard, payOrderByCard, subscribeOnPage } from '../../saas/checkout.ts';
import { checkSubscriptionSold } from '../../saas/subscriptions.ts';
import { signedInCall } from '../define-call.ts';

const schema = z.strictObject({
  purpose: z.enum(['ADD_CARD', 'SUBSCRIBE', 'PAY_INVOICE', 'PAY_ORDER']),
  invoiceId: z.string().max(64).optional(),
  orderId: z.string().max(64).optional(),
});

/** A page of the payment service for what the account wants to do there. */
export const createSession = signedInCall(calls.createSession, schema, async ({ session, body }, services) => {
  if (body.purpose === 'PAY_INVOICE') {
    if (body.invoiceId !== undefined) return payInvoiceByCard(services, session.uid, body.invoiceId);
    throw new HttpError('INVALID_FIELDS', { fields: { invoiceId: 'Please name the invoice.' } });
  }
  if (body.purpose === 'PAY_ORDER') {
    if (body.orderId !== undefined)
      return payOrderByCard(services, await orderOf(services.database, body.orderId, session.uid));
    throw new HttpError('INVALID_FIELDS', { fields: { orderId: 'Please name the order.' } });
  }
  // An account with a card changes it on the payment service's page that shows all of them.
  if (body.purpose === 'ADD_CARD' && (await listCards(services, session.uid)).length > 0) {
    return manageCards(services, session.uid);
  }
  if (body.purpose === 'ADD_CARD') return addCard(services, session.uid);
  checkSubscriptionSold(services.pricing);
  return subscribeOnPage(services, session.uid);
});
