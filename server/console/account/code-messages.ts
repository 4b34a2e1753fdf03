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

/** The message with a code. */
export function codeMessage({ brand }: ConsoleServices, target: Target, purpose: CodePurpose, code: string): Message {
  const sentence = `This is the code ${reasons[purpose]}. It is valid for five minutes and works once.`;
  const unasked = 'If you did not ask for it, you do not need to do anything.';
  if (target.kind === 'sms') {
    return { channel: 'sms', to: target.address, subject: '', text: `${brand.name}: ${code}. ${sentence}`, code };
  }
  return composeMail(target.address, brand.name, {
    subject: `${code} is your ${brand.name} code`,
    paragraphs: [sentence, unasked],
    code,
  });
}

/** Sentences for purposes that need an address without an account, sent when it has one. */
const known: Partial<Record<CodePurpose, string>> = {
  REGISTER: 'Someone tried to sign up with this address, which already has an account. You can sign in with it.',
  UPDATE_EMAIL: 'Someone asked to use this address for another account. It already has one, so nothing was changed.',
};

/** The message instead of a code: the page says the same to everyone, only the address's owner learns the truth. */
export function noCodeMessage({ brand, config }: ConsoleServices, target: Target, purpose: CodePurpose): Message {
  const sentence = known[purpose];
  const letter: Letter =
    sentence !== undefined
      ? {
          subject: `You already have a ${brand.name} account`,
          paragraphs: [sentence],
          action: { label: 'Sign in', href: `${config.publicUrl}/login` },
        }
      : {
          subject: `There is no ${brand.name} account with this address`,
          paragraphs: ['Someone asked for a code for this address, which has no account here.'],
          action: { label: 'Sign up', href: `${config.publicUrl}/register` },
        };
  if (target.kind === 'mail') return composeMail(target.address, brand.name, letter);
  return { channel: 'sms', to: target.address, subject: '', text: `${brand.name}: ${letter.paragraphs.join(' ')}` };
}
