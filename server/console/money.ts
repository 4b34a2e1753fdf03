import type { Money } from '../../client/contract/console/orders.ts';
import { ConsoleError } from './errors.ts';

/** Whole cents as the calls write them. */
export function usd(amount: number): Money {
  return { amount, currency: 'USD' };
}

/** The least that the payment service charges a card, in cents. */
export const leastCardCents = 50;

/** What is free needs no card; a card is charged no less than the least. @throws ConsoleError TOO_LITTLE_FOR_CARD */
export function checkForCard(total: number): void {
  if (total > 0 && total < leastCardCents) throw new ConsoleError('TOO_LITTLE_FOR_CARD');
}
