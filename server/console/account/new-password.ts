import { HttpError } from '../../http/errors.ts';
import type { ConsoleServices } from '../services.ts';
import { readPassword } from './password-key.ts';
import { hashPassword, passwordFault } from './passwords.ts';

interface NewPassword {
  password: string;
  kid?: string | undefined;
}

/** Reads, checks and hashes a new password. @throws HttpError INVALID_FIELDS with what is wrong with it */
export async function hashNewPassword(services: ConsoleServices, { password, kid }: NewPassword): Promise<string> {
  return hashGood(await readPassword(services, password, kid));
}

/**
 * Checks and hashes a new password.
 * @throws HttpError INVALID_FIELDS with what is wrong with it
 */
export async function hashGood(plain: string): Promise<string> {
  const fault = await passwordFault(plain);
  if (fault !== undefined) throw new HttpError('INVALID_FIELDS', { fields: { password: fault } });
  return hashPassword(plain);
}
