import { countByAddress } from '../account/attempts.ts';
import type { ConsoleServices } from '../services.ts';

const perAddress = { most: 20, windowMs: 60_000 };

/** Counts an address's requests with a registration token. @throws HttpError TOO_MANY_REQUESTS */
export function countRegistration(services: ConsoleServices, address: string): Promise<void> {
  return countByAddress(services, 'marketplace-address', address, perAddress);
}
