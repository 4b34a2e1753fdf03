import { type BuyTimeStandard, type Edition, editions } from '../../../client/contract/console/orders.ts';
import type { Period } from '../../../client/contract/price-rules.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';
import { ConsoleError } from '../errors.ts';

const planOf = { COMMUNITY: 'community', TRIAL: 'trial', ENTERPRISE: 'enterprise' } as const;
const freePeriod: Period = { num: 3, unit: 'MONTH' };
/** Links that need no licence on an installation that requires one: those of the community edition. */
export const freeLinks = 5;
const links = { COMMUNITY: freeLinks, TRIAL: 30 } as const;
const mostLinks = 1_000;
/** Editions go up, never down. */
export const rank: Record<Edition, number> = { COMMUNITY: 0, TRIAL: 1, ENTERPRISE: 2 };

/** The editions in the operator's price list. */
export function soldEditions({ plans }: Pricing): Edition[] {
  return editions.filter((edition) => plans.some(({ id }) => id === planOf[edition])).reverse();
}

/** The periods and links for which an edition is sold. @throws ConsoleError NOT_SOLD if it is not in the price list */
export function buyTimeStandard(edition: Edition, { plans, periods }: Pricing): BuyTimeStandard {
  if (!plans.some(({ id }) => id === planOf[edition])) throw new ConsoleError('NOT_SOLD');
  if (edition === 'ENTERPRISE') return { periods: [...periods], minLinks: 1, maxLinks: mostLinks };
  return { periods: [freePeriod], minLinks: links[edition], maxLinks: links[edition] };
}
