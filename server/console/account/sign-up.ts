import type { Queries } from '../../storage/database.ts';
import { ConsoleError } from '../errors.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import { createAccount } from './accounts.ts';
import { takeCode } from './codes.ts';
import { hashNewPassword } from './new-password.ts';
import type { Target } from './targets.ts';

/** What a user enters to get an account. */
export interface SignUp {
  userName: string;
  verifyCode: string;
  password: string;
  kid?: string | undefined;
  company: string;
  country: string;
  contactMe: boolean;
  src: string;
  keyword: string;
}

/**
 * Creates an account whose address was verified by a code.
 * @param alongside runs in the same transaction, e.g. to use up a marketplace token
 * @throws ConsoleError BAD_CODE, also if the address has an account: this call must not reveal which ones do
 * @returns its uid
 */
export async function signUp(
  services: ConsoleServices,
  target: Target,
  form: SignUp,
  alongside: (queries: Queries, uid: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const { database, secretKey, now, pricing, log } = services;
  const passwordHash = await hashNewPassword(services, form);
  // Outside the transaction below: a wrong try counts even though nothing else happens.
  if (!(await takeCode(database, target, 'REGISTER', form.verifyCode, { secretKey, now: now() }))) {
    throw new ConsoleError('BAD_CODE');
  }
  const made = await database.transaction(async (queries) => {
    const uid = await createAccount(queries, {
      username: form.userName,
      target,
      passwordHash,
      company: form.company,
      country: form.country,
      contactMe: form.contactMe,
      source: form.src,
      keyword: form.keyword,
      credits: pricing.newAccountCredits * 100,
      now: now(),
    });
    if (uid === undefined) throw new ConsoleError('BAD_CODE');
    await alongside(queries, uid);
    const about = { kind: 'account-created', uid } as const;
    if (target.kind === 'mail') await queueMessage(queries, services, welcome(services, target, form.userName), about);
    return uid;
  });
  log.info({ uid: made }, 'an account was created');
  return made;
}

function welcome({ brand, config }: ConsoleServices, target: Target, userName: string) {
  return composeMail(target.address, brand.name, {
    subject: `Your ${brand.name} account`,
    paragraphs: [`Hello ${userName},`, 'your account is ready. Sign in with this e-mail address and your password.'],
    action: { label: 'Sign in', href: `${config.publicUrl}/login` },
  });
}
