import { z } from 'zod';
import { minuteOf } from '../../client/contract/dates.ts';
import { accountOf } from '../console/account/accounts.ts';
import { countAttempt } from '../console/account/attempts.ts';
import { composeMail, type Letter } from '../console/messages/compose.ts';
import { queueMessage } from '../console/messages/queue-message.ts';
import type { Queries } from '../storage/database.ts';
import type { Caller } from './api/define-job-call.ts';
import { addressOf, userOf } from './data-source-address.ts';
import type { DataSourceRow } from './data-sources.ts';
import type { JobServices } from './services.ts';

/** A limit per account: as many mails as people may still read. */
const limit = { most: 20, windowMs: 3_600_000 };
const begunRow = z.object({ created_at: z.number() });

/**
 * Notifies the owner of a data source by mail, in the caller's transaction, that its stored password is from now on
 * used at another host or port, or for another user: this can be set without knowing it.
 * @param source as it was
 * @param settings as they are now
 */
export async function tellNewAddress(
  queries: Queries,
  services: JobServices,
  { uid, by }: Caller,
  source: DataSourceRow,
  settings: Record<string, unknown>,
): Promise<void> {
  const [before, now] = [placeOf(source.settings), placeOf(settings)];
  if (before === now) return;
  const email = (await accountOf(queries, uid))?.email;
  if (!email || (await countAttempt(queries, `new-address:${uid}`, limit, services.now())) > 0) return;
  const means = by.kind === 'key' ? `with the API key “${shown(by.name)}”` : await sessionOf(queries, by.id);
  const { brand, config } = services;
  const letter: Letter = {
    subject: 'The address of a data source was changed',
    paragraphs: [
      `The data source “${shown(source.description || source.instance_id)}” of your account now leads to ${now}. Before, it led to ${before}. Its password was not entered again: the stored one is used at the new address.`,
      `It was changed on ${minuteOf(services.now())} UTC ${means}.`,
      `If that was not you, change the user's password at the database and revoke the access that was used: revoke the key at ${config.publicUrl}/console/api-keys, or set a new password at ${config.publicUrl}/resetPwd, which ends all sessions.`,
      `At most ${limit.most} mails like this one are sent in an hour.`,
    ],
    action: { label: 'Show data sources', href: `${config.publicUrl}/console/data-sources` },
  };
  await queueMessage(queries, services, composeMail(email, brand.name, letter));
}

/** Host, port and user. */
function placeOf(settings: Record<string, unknown>): string {
  return `${shown(addressOf(settings))} as ${shown(userOf(settings))}`;
}

async function sessionOf(queries: Queries, id: string): Promise<string> {
  const session = await queries.one(begunRow, 'SELECT created_at FROM session WHERE id = $1', [id]);
  return `in a console session${session ? ` that began on ${minuteOf(session.created_at)} UTC` : ''}`;
}

/** Text that others may have written, as one short line. */
const shown = (text: string) => text.replace(/\p{Cc}|\p{Cf}/gu, '').slice(0, 200);
