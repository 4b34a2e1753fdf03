import type { Money } from '../../client/contract/console/orders.ts';
import { ConsoleError } from './errors.ts';

/** Whole cents in the form that the calls use. */
export function usd(amount: number): Money {
  return { amount, currency: 'USD' };
}

/** The smallest amount that the payment service charges to a card, in cents. */
export const leastCardCents = 50;
/** The largest one. */
const mostCardCents = 99_999_999;

/** Whether a card can be charged with an amount. */
export function isForCard(total: number): boolean {
  return total >= leastCardCents && total <= mostCardCents;
}

/**
 * Free orders need no card; a card charge has a minimum and a maximum.
 * @throws ConsoleError TOO_LITTLE_FOR_CARD, TOO_MUCH_FOR_CARD
 */
export function checkForCard(total: number): void {
  if (total > 0 && !isForCard(total))
    throw new ConsoleError(total < leastCardCents ? 'TOO_LITTLE_FOR_CARD' : 'TOO_MUCH_FOR_CARD');
}
