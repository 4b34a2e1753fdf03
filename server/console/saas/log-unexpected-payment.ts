import type { ConsoleServices } from '../services.ts';

/**
 * Tells the operator about money that nothing was waiting for: it was paid twice, or too late.
 * @param about names the payment at the payment service, and what it was for
 */
export function logUnexpectedPayment({ log }: Pick<ConsoleServices, 'log'>, about: object): void {
  log.error(about, 'a payment arrived that nothing was waiting for: refund it at the payment service');
}
