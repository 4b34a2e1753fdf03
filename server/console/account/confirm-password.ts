import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import type { Account } from './accounts.ts';
import { type AttemptLimit, countAttempt, forgiveAttempt } from './attempts.ts';
import { readPassword } from './password-key.ts';
import { isPassword } from './passwords.ts';

const windowMs = 15 * 60_000;
/** Together at most five wrong passwords are compared. */
const perAccount = { most: 4, windowMs };
const repeatsPerAccount = { most: 1, windowMs };

/**
 * Checks a password that a signed-in user entered again; allows four wrong ones in a quarter of an hour.
 * @throws ConsoleError BAD_CREDENTIALS
 */
export async function confirmPassword(
  services: ConsoleServices,
  account: Account,
  password: string,
  kid: string | undefined,
): Promise<void> {
  const plain = await readPassword(services, password, kid);
  if (!(await isRight(services, account, plain, 'confirm-password', perAccount)))
    throw new ConsoleError('BAD_CREDENTIALS');
}

/** Whether a new password is the account's already: the answer to a change may have been lost. */
export function isAlreadySet(services: ConsoleServices, account: Account, plain: string): Promise<boolean> {
  return isRight(services, account, plain, 'repeat-password', repeatsPerAccount);
}

async function isRight(
  { database, now }: ConsoleServices,
  account: Account,
  plain: string,
  name: string,
  limit: AttemptLimit,
): Promise<boolean> {
  const key = `${name}:${account.uid}`;
  const tooMany = (await countAttempt(database, key, limit, now())) > 0;
  if (tooMany || !(await isPassword(plain, account.password_hash))) return false;
  await forgiveAttempt(database, key);
  return true;
}
