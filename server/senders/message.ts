/** What is sent to a person, by mail or by SMS. */
export interface Message {
  channel: 'mail' | 'sms';
  /** E-mail address, or phone number in E.164 form. */
  to: string;
  /** Empty for SMS. */
  subject: string;
  text: string;
  /** Mail alone. */
  html?: string | undefined;
  /** The verification code in it, for whoever reads the outbox with a program. */
  code?: string | undefined;
}

/** Hands a message over for delivery. @throws when it was not taken; it is tried again later */
export type Send = (message: Message) => Promise<void>;

/** One that keeps connections; what is under way when it is closed fails. */
export type ClosingSend = Send & { close(): void };

/** Thrown where a message was refused for its address alone, by whoever takes others. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** Thrown where nobody took a message; the log has been told. */
export class NotTaken extends Error {
  override name = 'NotTaken';
}
