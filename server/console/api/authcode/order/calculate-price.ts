import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import type { Price } from '../../../../../client/contract/console/orders.ts';
import { quoteLicence } from '../../../licensing/quote.ts';
import { usd } from '../../../money.ts';
import { signedInCall } from '../../define-call.ts';
import { applyCode, edition, links, period, productType } from './fields.ts';

const schema = z.strictObject({ applyCode, productType, edition, links, period });

/** The price of a licence, kept for half an hour under a quote id. */
export const calculatePrice = signedInCall(calls.calculatePrice, schema, async ({ session, body }, services) => {
  const quote = await quoteLicence(services, session.uid, body);
  return {
    subtotal: usd(quote.subtotal),
    ladderRate: quote.ladderRate,
    discount: usd(quote.discount),
    oldValue: usd(quote.oldValue),
    lostValue: usd(quote.lostValue),
    credits: usd(quote.credits),
    total: usd(quote.total),
    links: quote.links,
    from: quote.from,
    to: quote.to,
    quoteId: quote.id,
    quoteExpiresAt: quote.expiresAt,
  } satisfies Price;
});
