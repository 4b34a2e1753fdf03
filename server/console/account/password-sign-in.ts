import { z } from 'zod';
import type { ConsoleServices } from '../services.ts';
import { type Account, findAccount } from './accounts.ts';
import { countAttempt, forgiveAttempt, keyOfAddress } from './attempts.ts';
import { isPassword } from './passwords.ts';
import type { Target } from './targets.ts';

const mostWrong = 5;
const lockMs = 15 * 60_000;
const lockRow = z.object({ locked_until: z.number() });
const perAddress = { most: 20, windowMs: 60_000 };

/**
 * The account with a target and password; undefined for an unknown target, a wrong password and a locked account alike,
 * after the same work. Attempts are counted in the store first: of parallel guesses, only five are compared.
 */
export async function signInByPassword(
  { database, log, secretKey, now }: ConsoleServices,
  target: Target,
  password: string,
  address: string,
): Promise<Account | undefined> {
  const key = keyOfAddress(secretKey, 'password-address', address);
  const tooMany = (await countAttempt(database, key, perAddress, now())) > 0;
  const account = await findAccount(database, target);
  // For an account that does not exist, no row changes: the same statement, the same time.
  const tried = await database.one(
    lockRow,
    `UPDATE account SET
       wrong_passwords = CASE WHEN locked_until > 0 THEN 1 ELSE wrong_passwords + 1 END,
       locked_until = CASE WHEN locked_until = 0 AND wrong_passwords + 1 >= $2 THEN CAST($3 AS BIGINT) ELSE 0 END
     WHERE uid = $1 AND (locked_until <= $4 OR locked_until > $5) RETURNING locked_until`,
    // A lock that ends so much later is from a clock that was set back since.
    [tooMany ? '' : (account?.uid ?? ''), mostWrong, now() + lockMs, now(), now() + 2 * lockMs],
  );
  const compared = tried ? account?.password_hash : undefined;
  const right = await isPassword(password, compared);
  if (!right && tried && tried.locked_until > 0)
    log.warn({ uid: account?.uid, wrong: mostWrong }, 'an account takes no password for a quarter of an hour');
  if (!right || !account) return undefined;
  await database.run('UPDATE account SET wrong_passwords = 0, locked_until = 0 WHERE uid = $1', [account.uid]);
  await forgiveAttempt(database, key);
  return account;
}
