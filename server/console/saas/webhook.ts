import express, { type RequestHandler } from 'express';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { ConsoleServices } from '../services.ts';
import { checkout, fulfilCheckout } from './fulfil-checkout.ts';
import { reportRefund } from './poll-refunds.ts';
import type { Payments } from './stripe.ts';

const mostBytes = 256 * 1024;
const path = '/webhooks/stripe';

const acted = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);
const actedOnRefunds = /^(refund|charge\.dispute)\./;

/**
 * `POST /webhooks/stripe`: the payment service reports payments, refunds and disputes. Its signature is checked, and each
 * counts once, however often and by however many endpoints it is reported.
 */
export function stripeWebhook(services: ConsoleServices): RequestHandler[] {
  const { payments } = services;
  const readRaw = express.raw({ type: () => true, limit: mostBytes });
  return [
    (req, res, next) => (contextOf(req).path === path ? readRaw(req, res, next) : next()),
    async (req, res, next) => {
      const context = contextOf(req);
      if (context.path !== path) return next();
      context.route = path;
      if (!payments || req.method !== 'POST') throw new HttpError('NOT_FOUND');
      const event = verifiedEvent(payments, req.headers['stripe-signature'], req.body);
      const finished = acted.has(event.type) ? checkout.safeParse(event.data.object).data : undefined;
      if (finished) await fulfilCheckout(services, finished, event.created * 1_000);
      if (actedOnRefunds.test(event.type)) await reportRefund(services, event.data.object);
      res.status(204).end();
    },
  ];
}

/** @throws HttpError BAD_REQUEST for a body that the payment service did not sign, or signed long ago */
function verifiedEvent({ stripe, webhookSecret }: Payments, signature: unknown, body: unknown) {
  if (typeof signature !== 'string' || !Buffer.isBuffer(body)) throw new HttpError('BAD_REQUEST');
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret);
  } catch (cause) {
    throw new HttpError('BAD_REQUEST', { cause });
  }
}
