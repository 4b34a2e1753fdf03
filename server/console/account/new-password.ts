import { HttpError } from '../../http/errors.ts';
import type { ConsoleServices } from '../services.ts';
import { readPassword } from './password-key.ts';
import { hashPassword, passwordFault } from './passwords.ts';

/**
 * Reads, checks and hashes a new password.
 * @throws HttpError INVALID_FIELDS with what is wrong with it
 */
export async function hashNewPassword(
  services: ConsoleServices,
  { password, kid }: { password: string; kid?: string | undefined },
): Promise<string> {
  const plain = await readPassword(services, password, kid);
  const fault = await passwordFault(plain);
  if (fault !== undefined) throw new HttpError('INVALID_FIELDS', { fields: { password: fault } });
  return hashPassword(plain);
}
