import type Stripe from 'stripe';
import { z } from 'zod';
import type { ConsoleConfig } from '../../config/console.ts';
import { ConsoleError } from '../errors.ts';

/** Payment by card, if the operator has set Stripe's keys. */
export interface Payments {
  stripe: Stripe;
  webhookSecret: string;
}

/** With a second try, twice this is the time a call has before the site's proxy gives up. */
const waitMs = 4_500;

/** Loads Stripe's client only when it is used: its 200 files would take a good part of each start. */
const loadStripe = async () => (await import('stripe')).default;

/** The error classes of Stripe's client. */
export const stripeErrors = async () => (await loadStripe()).errors;

/** Stripe's client, or undefined if it is not set up. */
export async function openPayments({
  stripeSecretKey,
  stripeWebhookSecret,
  stripeApiUrl,
}: ConsoleConfig): Promise<Payments | undefined> {
  if (stripeSecretKey === undefined || stripeWebhookSecret === undefined) return undefined;
  const address = stripeApiUrl === undefined ? undefined : new URL(stripeApiUrl);
  const StripeClient = await loadStripe();
  const stripe = new StripeClient(stripeSecretKey, {
    timeout: waitMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === 'https:' ? 443 : 80),
      protocol: address.protocol === 'https:' ? 'https' : 'http',
    }),
  });
  return { stripe, webhookSecret: stripeWebhookSecret };
}

/**
 * Awaits a request to the payment service.
 * @throws ConsoleError PAYMENT_FAILED if it refuses or does not answer; its words, which may name keys, are left out
 * unless they are about the request
 */
export async function askStripe<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    const { StripeError, StripeInvalidRequestError } = await stripeErrors();
    if (!(error instanceof StripeError)) throw error;
    const { type, code, param, statusCode, requestId } = error;
    const refusal = error instanceof StripeInvalidRequestError && statusCode === 400 ? error.message : undefined;
    throw new ConsoleError('PAYMENT_FAILED', { cause: { type, code, param, statusCode, requestId, refusal } });
  }
}

/** The error when the payment service does not know something, and in which parameter it was named. */
export const resourceMissing = z.object({
  cause: z.object({ code: z.literal('resource_missing'), param: z.string().optional() }),
});

/**
 * The error when the payment service has an internal one. A time-out or a lost connection is none: the request may have
 * succeeded, so its next try must have the same idempotency key.
 */
export const internalFault = z.object({ cause: z.object({ statusCode: z.number().min(500) }) });

/** The error when the payment service refuses what a request asks for. */
const requestRefused = z.object({ cause: z.object({ code: z.string().optional(), refusal: z.string() }) });
/** Something there was changed or removed meanwhile: another try sees it. */
const changedMeanwhile = ['resource_missing', 'payment_intent_unexpected_state'];

/** Why the payment service would refuse a request each time; undefined if another try may succeed. */
export function lastingRefusalOf(error: unknown): string | undefined {
  const { code, refusal } = requestRefused.safeParse(error).data?.cause ?? {};
  return code !== undefined && changedMeanwhile.includes(code) ? undefined : refusal;
}

/**
 * Awaits a request about something that the payment service may not know: the operator deleted it there, or has other
 * keys since, such as live ones instead of test keys.
 * @returns undefined if it does not
 */
export async function askAboutKnown<Answer>(question: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await askStripe(question);
  } catch (error) {
    if (resourceMissing.safeParse(error).success) return undefined;
    throw error;
  }
}
