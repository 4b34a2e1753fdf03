import { randomUUID } from 'node:crypto';
import type { Message } from '../../senders/message.ts';
import type { Queries } from '../../storage/database.ts';
import type { ConsoleServices } from '../services.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

/** As long as mail servers keep retrying. */
const triedForMs = 5 * 86_400_000;

/** What the log may say about a message. */
export interface MessageAbout {
  kind:
    | 'account-created'
    | 'code'
    | 'credit-note'
    | 'data-source-changed'
    | 'email-changed'
    | 'invoice'
    | 'invoice-late'
    | 'licence-issued'
    | 'licence-reminder'
    | 'order-closed'
    | 'password-changed'
    | 'sign-in-connected'
    | 'sign-in-removed';
  /** The recipient's account, if there is one. */
  uid: string | undefined;
}

/**
 * Queues a message in the caller's transaction: it is sent if and only if that commits, and the caller never waits for
 * a mail server. It is stored encrypted, since it may contain a code. Codes go before everything else.
 * @param forMs how long sending is retried while the message is not accepted
 */
export async function queueMessage(
  queries: Queries,
  { secretKey, now }: Pick<ConsoleServices, 'secretKey' | 'now'>,
  message: Message,
  about: MessageAbout,
  forMs = triedForMs,
): Promise<void> {
  const key = randomUUID();
  const payload = secretKey.encrypt('message', key, JSON.stringify({ ...message, about, until: now() + forMs }));
  const urgent = about.kind === 'code';
  await scheduleTask(queries, { kind: 'send-message', key, payload, dueAt: now(), lane: message.channel, urgent });
}
