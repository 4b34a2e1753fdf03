import type { Pricing } from '../../client/contract/content.ts';

export const hoursOf30Days = 720;
export const hoursOf365Days = 8760;

/** Discount of an order: the step its number of links falls into. */
export function ladderRate({ ladder }: Pricing, links: number): number {
  return ladder.reduce((rate, step) => (links >= step.minLinks ? step.rate : rate), 0);
}

/** Price of an enterprise licence in whole cents, rounded once. */
export function licenceCents(pricing: Pricing, links: number, hours: number): number {
  return Math.round(links * hours * pricing.linkHourCents * (1 - ladderRate(pricing, links)));
}

/** Price of counted work in the cloud, in whole cents. */
export function cloudCents({ cents, unitSize }: Pricing['cloud'][number], count: number): number {
  return Math.round((count * cents) / unitSize);
}

/** The highest step that a smaller order would pay more than, e.g. 50 links cost less than 49. */
export function cheaperStep(pricing: Pricing): number | undefined {
  return pricing.ladder
    .map(({ minLinks }) => minLinks)
    .findLast(
      (links) =>
        links > 1 && licenceCents(pricing, links, hoursOf30Days) < licenceCents(pricing, links - 1, hoursOf30Days),
    );
}
