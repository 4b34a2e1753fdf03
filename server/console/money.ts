import type { Money } from '../../client/contract/console/orders.ts';
import { ConsoleError } from './errors.ts';

/** Whole cents in the form that the calls use. */
export function usd(amount: number): Money {
  return { amount, currency: 'USD' };
}

/** The smallest amount that the payment service charges to a card, in cents. */
export const leastCardCents = 50;

/** Free orders need no card; a card charge has a minimum. @throws ConsoleError TOO_LITTLE_FOR_CARD below it */
export function checkForCard(total: number): void {
  if (total > 0 && total < leastCardCents) throw new ConsoleError('TOO_LITTLE_FOR_CARD');
}
