import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { Queries } from '../../storage/database.ts';
import { payInvoice } from '../billing/invoices.ts';
import { licenceSigningKey, type SigningKey } from '../licensing/licence-key.ts';
import { completeOrder } from '../licensing/orders.ts';
import type { ConsoleServices } from '../services.ts';
import type { Payments } from './stripe.ts';
import { subscribe } from './subscriptions.ts';

const mostBytes = 256 * 1024;
const path = '/webhooks/stripe';

/** What of a finished checkout is acted on. */
const checkout = z.looseObject({
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

/** `POST /webhooks/stripe`: the payment service tells what was paid. Its signature is checked, and an event counts once. */
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
      if (finished) await takeIn(services, event.id, finished);
      res.status(204).end();
    },
  ];
}

/** Does what a checkout paid for, in one transaction with the note that its event was taken in. */
async function takeIn(services: ConsoleServices, eventId: string, finished: Checkout): Promise<void> {
  const signing = await licenceSigningKey(services);
  await services.database.transaction(async (queries) => {
    const isNew = await queries.run(
      'INSERT INTO stripe_event (id, received_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [eventId, services.now()],
    );
    if (isNew === 0) return;
    const done = await act(queries, services, signing, finished);
    // Money came for something that is closed: a person has to give it back.
    if (!done)
      services.log.error({ event: eventId, ...finished.metadata }, 'a payment came for nothing that waits for it');
  });
}

async function act(
  queries: Queries,
  services: ConsoleServices,
  signing: SigningKey,
  finished: Checkout,
): Promise<boolean> {
  const { purpose, orderId, invoiceId, uid } = finished.metadata;
  if (purpose === 'SUBSCRIBE') await subscribe(queries, uid, services.now());
  if (!isPaid(finished)) return true;
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
