import type { Message } from '../../senders/message.ts';
import { composeMail } from '../messages/compose.ts';
import type { ConsoleServices } from '../services.ts';

/** To somebody whose account was just made by a sign-in. @param provider name of who confirmed it */
export function accountMade({ brand, config }: ConsoleServices, to: string, provider: string): Message {
  return composeMail(to, brand.name, {
    subject: `Your ${brand.name} account`,
    paragraphs: [`Your account is ready. You sign in to it by ${provider}.`],
    action: { label: 'Sign in', href: `${config.publicUrl}/login` },
  });
}

/** To the owner of an account that a provider signs in to from now on. */
export function providerConnected({ brand }: ConsoleServices, to: string, provider: string): Message {
  return composeMail(to, brand.name, {
    subject: `${brand.name}: sign-in by ${provider} was connected`,
    paragraphs: [
      `From now on your account can also be signed in to by ${provider}.`,
      'If that was not you, tell the operator of this site at once.',
    ],
  });
}

/** To the owner of an account that an identity of a provider signs in to no more. @param issuer the provider's address */
export function providerRemoved({ brand, config }: ConsoleServices, to: string, issuer: string): Message {
  return composeMail(to, brand.name, {
    subject: `${brand.name}: a single sign-on was removed`,
    paragraphs: [
      `Your account can no longer be signed in to by ${issuer}, and every session but the one that removed it has ended.`,
      'If that was not you, set a new password at once: it ends that session too.',
    ],
    action: { label: 'Set a new password', href: `${config.publicUrl}/resetPwd` },
  });
}
