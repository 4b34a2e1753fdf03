import type { NewAccount } from '../account/accounts.ts';
import type { ConsoleServices } from '../services.ts';
import type { Identity } from './provider.ts';

const longestName = 64;

/** A new account for a person whom a provider has confirmed. @param source where they came from */
export function newcomer(
  { pricing, now }: ConsoleServices,
  { name, email }: Identity,
  source: string,
): Omit<NewAccount, 'target'> {
  const username = name.replace(/\p{Cc}/gu, ' ').trim() || email?.replace(/@.*/s, '') || 'User';
  return {
    username: [...username].slice(0, longestName).join(''),
    passwordHash: undefined,
    company: '',
    country: '',
    contactMe: false,
    source,
    keyword: '',
    credits: pricing.newAccountCredits * 100,
    now: now(),
  };
}
