import type { Money } from '../../client/contract/console/orders.ts';

/** Whole cents as the calls write them. */
export function usd(amount: number): Money {
  return { amount, currency: 'USD' };
}

/** The least that the payment service charges a card, in cents. */
export const leastCardCents = 50;
