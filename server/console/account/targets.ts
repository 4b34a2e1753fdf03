import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { withLatinDigits } from '../../../client/contract/digits.ts';

/** Where a user can be reached, and the key to compare: an address in lower case, or a number in E.164 form. */
export interface Target {
  kind: 'mail' | 'sms';
  /** The form to which messages are sent. */
  address: string;
  key: string;
}

const noAddress = 'Please enter a valid e-mail address.';
/** A domain with a dot, not a number; no encoded words, which a mail program could read as another address. */
const reachable = /^(?!.*=\?).+@.+\.[a-z][^.]*$/i;
/** E-mail address as browsers check it, of at most 254 characters. */
export const emailField = z
  .string(noAddress)
  .transform(withAsciiDomain)
  .pipe(z.email({ pattern: z.regexes.html5Email, error: noAddress }).regex(reachable, noAddress).max(254, noAddress));
/** Phone number with its country code, e.g. `+8613800138000`. */
export const phoneField = z
  .string()
  .transform(digitsOf)
  .refine(
    (text) => /^\+[1-9]\d{6,14}$/.test(text),
    'Please enter a phone number with its country code, such as +86 138 0013 8000.',
  );

/** An address with its domain as mail servers take it: some browsers send `ada@münchen.example` as it was typed. */
function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  return /[^\x20-\x7e]/.test(domain) ? email.slice(0, at) + domainToASCII(domain) : email;
}

export function mailTarget(email: string): Target {
  return { kind: 'mail', address: email, key: email.toLowerCase() };
}

export function smsTarget(phone: string): Target {
  return { kind: 'sms', address: phone, key: phone };
}

/** A phone number as a person writes it; a country code in the number's own field counts, not the one beside it. */
function digitsOf(text: string): string {
  return withLatinDigits(text.slice(Math.max(0, text.lastIndexOf('+')))).replace(/[\s()./-]/g, '');
}

/** The target of a phone number that was entered; the zero that is dialled within a country only is left out. */
export async function phoneTarget(entered: string): Promise<Target> {
  const digits = digitsOf(entered);
  // Loaded with the first number: a start does not need these tables.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  return smsTarget(parsePhoneNumberFromString(digits)?.number ?? digits);
}

/** What a sign-in names: an e-mail address when it has an @, else a phone number. */
export async function targetOf(account: string): Promise<Target> {
  return account.includes('@') ? mailTarget(withAsciiDomain(account.trim())) : phoneTarget(account);
}
