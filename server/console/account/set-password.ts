import type { Queries } from '../../storage/database.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import type { Account } from './accounts.ts';
import { endOtherSessions } from './sessions.ts';

/**
 * Sets a password, ends the account's other sessions and tells its owner by mail, in the caller's transaction.
 * @param keep session that goes on
 */
export async function setPassword(
  queries: Queries,
  services: ConsoleServices,
  account: Account,
  { passwordHash, keep }: { passwordHash: string; keep?: string },
): Promise<void> {
  await queries.run('UPDATE account SET password_hash = $1, wrong_passwords = 0, locked_until = 0 WHERE uid = $2', [
    passwordHash,
    account.uid,
  ]);
  await endOtherSessions(queries, account.uid, keep);
  if (account.email !== null) await queueMessage(queries, services, notice(services, account.email));
}

function notice({ brand, config }: ConsoleServices, email: string) {
  return composeMail(email, brand.name, {
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed just now. If that was not you, set a new one at once.'],
    action: { label: 'Set a new password', href: `${config.publicUrl}/resetPwd` },
  });
}
