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
