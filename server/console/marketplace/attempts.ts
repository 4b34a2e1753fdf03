import { HttpError } from '../../http/errors.ts';
import { countAttempt, keyOfAddress } from '../account/attempts.ts';
import type { ConsoleServices } from '../services.ts';

const perAddress = { most: 20, windowMs: 60_000 };

/** Counts what an address sends with a registration token. @throws HttpError TOO_MANY_REQUESTS */
export async function countRegistration({ database, secretKey, now }: ConsoleServices, address: string): Promise<void> {
  const key = keyOfAddress(secretKey, 'marketplace-address', address);
  const wait = await countAttempt(database, key, perAddress, now());
  if (wait > 0) throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
}
