import type { Pricing } from '../../client/contract/content.ts';
import { licencePrice } from '../../client/islands/price-rules.ts';

export const hoursOf30Days = 720;
export const hoursOf365Days = 8760;

/** The highest step that a smaller order would pay more than, e.g. 50 links cost less than 49. */
export function cheaperStep(pricing: Pricing): number | undefined {
  const price = (links: number) => licencePrice(links, hoursOf30Days, pricing).total;
  return pricing.ladder
    .map(({ minLinks }) => minLinks)
    .findLast((links) => links > 1 && price(links) < price(links - 1));
}
