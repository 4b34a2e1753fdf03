import { ConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../services.ts';
import type { Account } from './accounts.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import { readPassword } from './password-key.ts';
import { isPassword } from './passwords.ts';

const perAccount = { most: 5, windowMs: 15 * 60_000 };

/**
 * Checks a password that a signed-in user entered again; allows five wrong ones in a quarter of an hour.
 * @throws ConsoleError BAD_CREDENTIALS
 */
export async function confirmPassword(
  services: ConsoleServices,
  account: Account,
  password: string,
  kid: string | undefined,
): Promise<void> {
  const plain = await readPassword(services, password, kid);
  const key = `confirm-password:${account.uid}`;
  const tooMany = (await countAttempt(services.database, key, perAccount, services.now())) > 0;
  if (tooMany || !(await isPassword(plain, account.password_hash))) throw new ConsoleError('BAD_CREDENTIALS');
  await forgiveAttempt(services.database, key);
}
