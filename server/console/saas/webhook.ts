import express, { type RequestHandler } from 'express';
import type Stripe from 'stripe';
import { z } from 'zod';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { Queries } from '../../storage/database.ts';
import { payInvoice } from '../billing/invoices.ts';
import { licenceSigningKey, type SigningKey } from '../licensing/licence-key.ts';
import { completeOrder } from '../licensing/orders.ts';
import type { ConsoleServices } from '../services.ts';
import type { Payments } from './stripe.ts';
import { subscribe, wasCancelledSince } from './subscriptions.ts';

const mostBytes = 256 * 1024;
const path = '/webhooks/stripe';

/** What of a finished checkout is acted on. */
const checkout = z.looseObject({
  id: z.string(),
  payment_status: z.string(),
  amount_total: z.number().nullable().optional(),
  metadata: z
    .object({
      uid: z.string(),
      purpose: z.string(),
      orderId: z.string().optional(),
      invoiceId: z.string().optional(),
    })
    .loose(),
});
type Checkout = z.infer<typeof checkout>;

const acted = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);

/**
 * `POST /webhooks/stripe`: the payment service tells what was paid. Its signature is checked, and a checkout counts once,
 * however often and by however many endpoints it is told.
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
      if (finished) await takeIn(services, event, finished);
      res.status(204).end();
    },
  ];
}

/** Does what a checkout was for, in one transaction with the note that it was taken in. */
async function takeIn(services: ConsoleServices, event: Stripe.Event, finished: Checkout): Promise<void> {
  const { purpose } = finished.metadata;
  // It is told again once it is paid.
  if (purpose !== 'SUBSCRIBE' && !isPaid(finished)) return;
  const signing = await licenceSigningKey(services);
  await services.database.transaction(async (queries) => {
    // Earlier versions noted the ids of events here.
    const isNew = await queries.run(
      'INSERT INTO stripe_event (id, received_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [finished.id, services.now()],
    );
    if (isNew === 0) return;
    if (purpose === 'SUBSCRIBE') return subscribeSince(queries, services, event, finished);
    const done = await payFor(queries, services, signing, finished);
    // Money came for something that is closed: a person has to give it back.
    if (!done)
      services.log.error({ event: event.id, ...finished.metadata }, 'a payment came for nothing that waits for it');
  });
}

/** Clocks of the payment service and of ours may differ by so much. */
const clocksDifferMs = 60_000;

/** Subscribes, unless the customer cancelled after the checkout: an event may come days late. */
async function subscribeSince(
  queries: Queries,
  { log, now }: ConsoleServices,
  event: Stripe.Event,
  { metadata: { uid } }: Checkout,
): Promise<void> {
  const isLate = await wasCancelledSince(queries, uid, event.created * 1_000 + clocksDifferMs);
  if (!isLate) return subscribe(queries, uid, now());
  log.warn(
    { event: event.id, uid },
    'a subscription was cancelled after this event, which came late: it stays cancelled',
  );
}

async function payFor(
  queries: Queries,
  services: ConsoleServices,
  signing: SigningKey,
  { metadata: { orderId, invoiceId } }: Checkout,
): Promise<boolean> {
  if (orderId !== undefined) return completeOrder(queries, services, signing, orderId, 'payment');
  if (invoiceId !== undefined) return payInvoice(queries, invoiceId, services.now());
  return true;
}

function isPaid({ payment_status: status }: Checkout): boolean {
  return status === 'paid';
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
