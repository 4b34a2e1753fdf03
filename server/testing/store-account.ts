import { createAccount, type NewAccount } from '../console/account/accounts.ts';
import { mailTarget } from '../console/account/targets.ts';
import type { Queries } from '../storage/database.ts';

/** Stores an account, without mail and password. @param about its own values @returns its uid */
export async function storeAccount(queries: Queries, email: string, about: Partial<NewAccount> = {}): Promise<string> {
  const uid = await createAccount(queries, {
    username: 'Ada',
    target: mailTarget(email),
    passwordHash: undefined,
    company: '',
    country: '',
    contactMe: false,
    source: '',
    keyword: '',
    credits: 0,
    now: Date.now(),
    ...about,
  });
  if (uid === undefined) throw new Error(`${email} has an account already.`);
  return uid;
}
