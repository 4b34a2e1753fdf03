/** A message to a person, by mail or SMS. */
export interface Message {
  channel: 'mail' | 'sms';
  /** E-mail address, or phone number in E.164 form. */
  to: string;
  /** Empty for SMS. */
  subject: string;
  text: string;
  /** Mail only. */
  html?: string | undefined;
  /** The verification code in it, for programs that read the outbox. */
  code?: string | undefined;
}

/** Hands a message over for delivery. @throws when it was not accepted; it is retried later */
export type Send = (message: Message) => Promise<void>;

/** A sender that keeps connections; a message still being sent on close fails. */
export type ClosingSend = Send & { close(): void };

/** Thrown when a message was refused only for its address, while others are accepted. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** Thrown when no message is being accepted; this is already logged. */
export class NotTaken extends Error {
  override name = 'NotTaken';
}
