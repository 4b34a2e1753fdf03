import type { Message } from '../../senders/message.ts';
import { composeMail, type Letter } from '../messages/compose.ts';
import type { ConsoleServices } from '../services.ts';
import type { CodePurpose } from './codes.ts';
import type { Target } from './targets.ts';

const reasons: Record<CodePurpose, string> = {
  LOGIN: 'to sign in',
  REGISTER: 'to sign up',
  RESET_PASSWORD: 'to set a new password',
  SSO_REGISTER_BIND: 'to connect your sign-in',
  SHOW_AUTH_CODE: 'to see an authorization code',
  UPDATE_EMAIL: 'to confirm your new e-mail address',
};

/** The message that brings a code. */
export function codeMessage({ brand }: ConsoleServices, target: Target, purpose: CodePurpose, code: string): Message {
  const sentence = `This is the code ${reasons[purpose]}. It is valid for five minutes and counts once.`;
  const unasked = 'If you did not ask for it, nothing needs to be done.';
  if (target.kind === 'sms') {
    return { channel: 'sms', to: target.address, subject: '', text: `${brand.name}: ${code}. ${sentence}`, code };
  }
  return composeMail(target.address, brand.name, {
    subject: `${code} is your ${brand.name} code`,
    paragraphs: [sentence, unasked],
    code,
  });
}

/** What was asked for with an address that has an account, where only one without could be used. */
const known: Partial<Record<CodePurpose, string>> = {
  REGISTER: 'Somebody asked for a sign-up with this address, which has an account. You can sign in with it.',
  UPDATE_EMAIL: 'Somebody asked to give this address to another account. It has one, so nothing was changed.',
};

/** The message instead of a code: the page says the same to everybody, the owner of the address learns the truth. */
export function noCodeMessage({ brand, config }: ConsoleServices, target: Target, purpose: CodePurpose): Message {
  const sentence = known[purpose];
  const letter: Letter =
    sentence !== undefined
      ? {
          subject: `You have a ${brand.name} account already`,
          paragraphs: [sentence],
          action: { label: 'Sign in', href: `${config.publicUrl}/login` },
        }
      : {
          subject: `There is no ${brand.name} account with this address`,
          paragraphs: ['Somebody asked for a code for this address, which has no account here.'],
          action: { label: 'Sign up', href: `${config.publicUrl}/register` },
        };
  if (target.kind === 'mail') return composeMail(target.address, brand.name, letter);
  return { channel: 'sms', to: target.address, subject: '', text: `${brand.name}: ${letter.paragraphs.join(' ')}` };
}
