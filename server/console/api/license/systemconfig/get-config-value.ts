import { calls } from '../../../../../client/contract/calls.ts';
import type { SystemConfig } from '../../../../../client/contract/console/orders.ts';
import { soldEditions } from '../../../licensing/editions.ts';
import { licencePublicKey } from '../../../licensing/licence-key.ts';
import { usd } from '../../../money.ts';
import { noBody, signedInCall } from '../../define-call.ts';

const trialDays = 90;

/** The seller's rules, and the key that verifies authorization codes offline. */
export const getConfigValue = signedInCall(calls.getConfigValue, noBody, async (_request, services) => {
  const { pricing } = services;
  return {
    linkHourPrice: usd(pricing.linkHourCents),
    trialDays,
    newAccountCredits: usd(pricing.newAccountCredits * 100),
    currency: pricing.currency,
    payMethods: services.payments ? ['STRIPE', 'BANK_TRANSFER'] : ['BANK_TRANSFER'],
    editions: soldEditions(pricing),
    publicKey: await licencePublicKey(services),
  } satisfies SystemConfig;
});
