import { z } from 'zod';
import { countryCodes } from '../../../client/contract/countries.ts';
import { withLatinDigits } from '../../../client/contract/digits.ts';
import { HttpError } from '../../http/errors.ts';
import { codePurposes } from '../account/codes.ts';
import { emailField, mailTarget, phoneField, phoneTarget, type Target } from '../account/targets.ts';

/** A line of text that a user enters, without leading or trailing spaces. */
export const line = (most: number) => z.string().trim().max(most);
export const userName = line(64).min(1, 'Please enter a user name.');
export const company = line(128).default('');
export const country = z
  .string()
  .refine((code) => code === '' || countryCodes.includes(code), 'Please choose a country from the list.')
  .default('');
/** Encrypted as `/getPublicKey` says, or plain if the operator allows it. */
export const password = z.string().min(1, 'Please enter a password.').max(1024);
export const kid = z.string().max(64).optional();
export const verifyCode = z
  .string()
  .transform(withLatinDigits)
  .pipe(z.string().regex(/^\d{6}$/, 'Please enter the six digits of the code.'));
export const verifyType = z.enum(['SMS_VERIFY_CODE', 'EMAIL_VERIFY_CODE']);
export const verifyCodeType = z.enum(codePurposes);

/** Fields that name a user by e-mail or phone; one of them is required. */
export const personFields = { email: emailField.optional(), phone: phoneField.optional() };

interface Person {
  email?: string | undefined;
  phone?: string | undefined;
}

/** Where the user that a body names can be reached. @throws HttpError INVALID_FIELDS when it names no one */
export async function targetOfPerson({ email, phone }: Person): Promise<Target> {
  if (email !== undefined) return mailTarget(email);
  if (phone !== undefined) return phoneTarget(phone);
  throw new HttpError('INVALID_FIELDS', { fields: { email: 'Please enter an e-mail address or a phone number.' } });
}

/** What every sign-up asks for. */
export const signUpFields = {
  ...personFields,
  userName,
  verifyCode,
  password,
  kid,
  company,
  country,
  contactMe: z.boolean().default(false),
  src: line(1024).default(''),
  keyword: line(256).default(''),
};

/** The requested page of a list. */
export const pageFields = {
  page: z.int().min(1).max(100_000).default(1),
  pageSize: z.int().min(1).max(100).default(20),
};
