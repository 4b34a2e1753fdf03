import type { Message } from '../../senders/message.ts';
import type { Queries } from '../../storage/database.ts';
import { type MessageAbout, queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import { accountOf } from './accounts.ts';

/** Queues a mail to an account's owner, in the caller's transaction, if the account has an address. */
export async function mailOwner(
  queries: Queries,
  services: ConsoleServices,
  about: MessageAbout & { uid: string },
  compose: (email: string) => Message,
): Promise<void> {
  const email = (await accountOf(queries, about.uid))?.email;
  if (email) await queueMessage(queries, services, compose(email), about);
}
