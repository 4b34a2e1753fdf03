import { z } from 'zod';
import { minuteOf } from '../../../../client/contract/dates.ts';
import { accountOf } from '../../../console/account/accounts.ts';
import { countAttempt } from '../../../console/account/attempts.ts';
import { composeMail, type Letter } from '../../../console/messages/compose.ts';
import { queueMessage } from '../../../console/messages/queue-message.ts';
import type { Queries } from '../../../storage/database.ts';
import { addressOf, userOf } from '../../data-source-address.ts';
import type { DataSourceRow } from '../../data-sources.ts';
import type { JobServices } from '../../services.ts';
import type { Caller } from '../define-job-call.ts';

/** A limit per account: as many mails as people may still read. */
const limit = { most: 20, windowMs: 3_600_000 };
const begunRow = z.object({ created_at: z.number() });
/** From the weakest to the strongest; systems without TLS have no such setting, nor has a damaged row. */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const tlsSettings = z.object({ tls: z.enum(tlsModes).catch('require'), ca: z.string().catch('') });

/**
 * Notifies the owner of a data source by mail, in the caller's transaction, that its stored password is from now on
 * used at another host or port, for another user, or over a connection that TLS protects less: all of this can be set
 * without knowing the password.
 * @param source as it was
 * @param settings as they are now
 */
export async function tellNewConnection(
  queries: Queries,
  services: JobServices,
  { uid, by }: Caller,
  source: DataSourceRow,
  settings: Settings,
): Promise<void> {
  const changes = [newPlace(source.settings, settings), lessTrust(source.settings, settings)].filter(Boolean);
  if (changes.length === 0) return;
  const email = (await accountOf(queries, uid))?.email;
  if (!email || (await countAttempt(queries, `new-address:${uid}`, limit, services.now())) > 0) return;
  const means = by.kind === 'key' ? `with the API key “${shown(by.name)}”` : await sessionOf(queries, by.id);
  const { brand, config } = services;
  const letter: Letter = {
    subject: 'The connection of a data source was changed',
    paragraphs: [
      `The data source “${shown(source.description || source.instance_id)}” of your account now ${changes.join(' It now also ')} Its password was not entered again: the stored one is used for the new connection.`,
      `It was changed on ${minuteOf(services.now())} UTC ${means}.`,
      `If that was not you, change the user's password at the database and revoke the access that was used: revoke the key at ${config.publicUrl}/console/api-keys, or set a new password at ${config.publicUrl}/resetPwd, which ends all sessions.`,
      `At most ${limit.most} mails like this one are sent in an hour.`,
    ],
    action: { label: 'Show data sources', href: `${config.publicUrl}/console/data-sources` },
  };
  await queueMessage(queries, services, composeMail(email, brand.name, letter), {
    kind: 'data-source-changed',
    uid,
  });
}

type Settings = Record<string, unknown>;

function newPlace(before: Settings, now: Settings): string | undefined {
  if (placeOf(before) === placeOf(now)) return undefined;
  return `leads to ${placeOf(now)}. Before, it led to ${placeOf(before)}.`;
}

/** A stronger TLS mode is not reported, nor is an authority that nothing is compared with. */
function lessTrust(before: Settings, now: Settings): string | undefined {
  const [old, fresh] = [tlsSettings.parse(before), tlsSettings.parse(now)];
  if (tlsModes.indexOf(fresh.tls) < tlsModes.indexOf(old.tls))
    return `uses the TLS mode ${fresh.tls}. Before, it used ${old.tls}, which protects more.`;
  const isCompared = old.tls.startsWith('verify') && fresh.tls.startsWith('verify');
  return isCompared && fresh.ca !== old.ca ? 'trusts another certificate authority.' : undefined;
}

/** Host, port and user. */
function placeOf(settings: Settings): string {
  return `${shown(addressOf(settings))} as ${shown(userOf(settings))}`;
}

async function sessionOf(queries: Queries, id: string): Promise<string> {
  const session = await queries.one(begunRow, 'SELECT created_at FROM session WHERE id = $1', [id]);
  return `in a console session${session ? ` that began on ${minuteOf(session.created_at)} UTC` : ''}`;
}

/** Text that others may have written, as one short line. */
const shown = (text: string) => text.replace(/\p{Cc}|\p{Cf}/gu, '').slice(0, 200);
