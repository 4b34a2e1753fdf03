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

/**
 * Hands a message over for delivery.
 * @throws MessageRefused, ChannelDown, or another error when the server is stopping; it is retried later
 */
export type Send = (message: Message) => Promise<void>;

/** A sender that keeps connections; a message still being sent on close fails. */
export type ClosingSend = Send & { close(): void };

/** Thrown when a message was refused for its own address or content, while others are accepted. */
export class MessageRefused extends Error {
  override name = 'MessageRefused';
}

/** Thrown when no message of the channel is being accepted; this is already logged. */
export class ChannelDown extends Error {
  override name = 'ChannelDown';
}

/** Thrown when a message was interrupted because the server is stopping. */
export class SendingStopped extends Error {
  override name = 'SendingStopped';

  constructor() {
    super('The server is stopping.');
  }
}
