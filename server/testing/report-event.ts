import http, { type RequestListener } from 'node:http';
import Stripe from 'stripe';
import request from 'supertest';

/**
 * Reports an event to a console's webhook, signed as by the payment service.
 * @param secret with which the webhook's `STRIPE_WEBHOOK_SECRET` is compared
 * @returns the status of the answer
 */
export async function reportEvent(listener: RequestListener, event: object, secret: string): Promise<number> {
  const payload = JSON.stringify(event);
  const { status } = await request(http.createServer(listener))
    .post('/webhooks/stripe')
    .set('Stripe-Signature', Stripe.webhooks.generateTestHeaderString({ payload, secret }))
    .set('Content-Type', 'application/json')
    .send(payload);
  return status;
}
