import { z } from 'zod';

/** Where a user can be reached, and the key to compare: an address in lower case, or a number in E.164 form. */
export interface Target {
  kind: 'mail' | 'sms';
  /** The form to which messages are sent. */
  address: string;
  key: string;
}

/** E-mail address of at most 254 characters. */
export const emailField = z
  .email('Please enter a valid e-mail address.')
  .max(254, 'Please enter a valid e-mail address.');
/** Phone number with its country code, e.g. `+8613800138000`. */
export const phoneField = z
  .string()
  .transform((text) => text.replace(/[\s()-]/g, ''))
  .refine(
    (text) => /^\+[1-9]\d{6,14}$/.test(text),
    'Please enter a phone number with its country code, such as +86 138 0013 8000.',
  );

export function mailTarget(email: string): Target {
  return { kind: 'mail', address: email, key: email.toLowerCase() };
}

export function smsTarget(phone: string): Target {
  return { kind: 'sms', address: phone, key: phone };
}

/** What a sign-in names: an e-mail address when it has an @, else a phone number. */
export function targetOf(account: string): Target {
  return account.includes('@') ? mailTarget(account.trim()) : smsTarget(account.replace(/[\s()-]/g, ''));
}
