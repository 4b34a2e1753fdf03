import type { Message } from '../../senders/message.ts';
import { composeMail } from '../messages/compose.ts';
import type { ConsoleServices } from '../services.ts';

/** To the owner of an account that a sign-in has just created. @param provider name of the one that confirmed it */
export function accountMade({ brand, config }: ConsoleServices, to: string, provider: string): Message {
  return composeMail(to, brand.name, {
    subject: `Your ${brand.name} account`,
    paragraphs: [`Your account is ready. You sign in to it with ${provider}.`],
    action: { label: 'Sign in', href: `${config.publicUrl}/login` },
  });
}

/** To the owner of an account that can be signed in to with a provider from now on. */
export function providerConnected({ brand }: ConsoleServices, to: string, provider: string): Message {
  return composeMail(to, brand.name, {
    subject: `${brand.name}: sign-in with ${provider} was connected`,
    paragraphs: [
      `From now on, your account can also be signed in to with ${provider}.`,
      'If that was not you, tell the operator of this site at once.',
    ],
  });
}

/** To the owner of an account from which a provider's identity was removed. @param issuer the provider's address */
export function providerRemoved({ brand, config }: ConsoleServices, to: string, issuer: string): Message {
  return composeMail(to, brand.name, {
    subject: `${brand.name}: a single sign-on was removed`,
    paragraphs: [
      `Your account can no longer be signed in to with ${issuer}, and every session but the one that removed it has ended.`,
      'If that was not you, set a new password at once: it ends that session too.',
    ],
    action: { label: 'Set a new password', href: `${config.publicUrl}/resetPwd` },
  });
}
