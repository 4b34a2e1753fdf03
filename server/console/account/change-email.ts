import { StorageTaken } from '../../storage/database.ts';
import { ConsoleError } from '../errors.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import { tellPayments } from '../saas/update-customer.ts';
import type { ConsoleServices } from '../services.ts';
import type { Account } from './accounts.ts';
import { takeCode } from './codes.ts';
import { endOtherSessions, holdSignedIn, type Session } from './sessions.ts';
import { mailTarget } from './targets.ts';

/**
 * Changes an account's e-mail address; the old one gets a notice and other sessions end.
 * @throws ConsoleError SIGNED_OUT if the session has ended meanwhile; BAD_CODE, also if the new address has an account
 */
export async function changeEmail(
  services: ConsoleServices,
  account: Account,
  email: string,
  code: string,
  session: Session,
): Promise<void> {
  const { database, secretKey, now, brand } = services;
  const target = mailTarget(email);
  if (!(await takeCode(database, target, 'UPDATE_EMAIL', code, { secretKey, now: now() }))) {
    throw new ConsoleError('BAD_CODE');
  }
  const change = database.transaction(async (queries) => {
    await holdSignedIn(queries, account, session);
    await queries.run('UPDATE account SET email = $1, email_key = $2, email_verified = 1 WHERE uid = $3', [
      target.address,
      target.key,
      account.uid,
    ]);
    await endOtherSessions(queries, account.uid, session.id);
    await tellPayments(queries, account.uid, now());
    if (account.email === null) return;
    const letter = {
      subject: 'The e-mail address of your account was changed',
      paragraphs: [
        `Your ${brand.name} account now belongs to another e-mail address. This one can no longer sign in.`,
        'If that was not you, tell the operator of this site at once.',
      ],
    };
    await queueMessage(queries, services, composeMail(account.email, brand.name, letter), {
      kind: 'email-changed',
      uid: account.uid,
    });
  });
  await change.catch((error: unknown) => {
    throw error instanceof StorageTaken ? new ConsoleError('BAD_CODE') : error;
  });
}
