import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { ConsoleServices } from '../services.ts';
import type { Account } from './accounts.ts';
import { endOtherSessions } from './sessions.ts';

const countRow = z.object({ n: z.number() });

/**
 * Sets a password, ends the account's other sessions and notifies its owner by mail, in the caller's transaction.
 * @param keep session that continues
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
  if (account.email === null) return;
  const others = await queries.one(
    countRow,
    'SELECT (SELECT count(*) FROM identity WHERE uid = $1) + (SELECT count(*) FROM api_key WHERE uid = $1) AS n',
    [account.uid],
  );
  await queueMessage(queries, services, notice(services, account.email, (others?.n ?? 0) > 0), {
    kind: 'password-changed',
    uid: account.uid,
  });
}

/** @param hasOthers whether there are ways into the account that a new password does not close */
function notice({ brand, config }: ConsoleServices, email: string, hasOthers: boolean) {
  return composeMail(email, brand.name, {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed just now. If that was not you, set a new one at once.',
      ...(hasOthers
        ? [
            `API keys and connected sign-ins still work. Check that you recognise all of them: ${config.publicUrl}/console/api-keys and ${config.publicUrl}/console/usercenter?tab=providers`,
          ]
        : []),
    ],
    action: { label: 'Set a new password', href: `${config.publicUrl}/resetPwd` },
  });
}
