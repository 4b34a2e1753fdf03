import { z } from 'zod';
import { counted } from '../../../client/contract/counted.ts';
import { dayMs, dayOf } from '../../../client/contract/dates.ts';
import { longDay } from '../long-day.ts';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';

const row = z.object({
  uid: z.string(),
  email: z.string().nullable(),
  links: z.number(),
  to_at: z.number(),
});

/**
 * Reminds the owner that a licence ends, or has ended if no server was running in time; a licence followed by another
 * one needs no reminder. The key is `<licence>:<days before>`.
 */
export const remindOfLicence: TaskHandler = async (services, { key }) => {
  const { database, brand, config, now } = services;
  const [id = '', days = ''] = key.split(':');
  const licence = await database.one(
    row,
    `SELECT account.uid, account.email, licence.links, licence.to_at FROM licence JOIN account ON account.uid = licence.uid
     WHERE licence.id = $1 AND replaced_by IS NULL AND NOT EXISTS (SELECT 1 FROM licence AS later
       WHERE later.uid = licence.uid AND later.installation = licence.installation AND later.from_at >= licence.to_at)`,
    [id],
  );
  if (!licence?.email) return undefined;
  const left = Math.ceil((licence.to_at - now()) / dayMs);
  // By now the last reminder is due too.
  if (days !== '1' && left <= 1) return undefined;
  const end = longDay(licence.to_at);
  const message = composeMail(licence.email, brand.name, {
    subject: subjectOf(left, dayOf(licence.to_at) === dayOf(now())),
    paragraphs: [
      `The licence for ${counted(licence.links, 'link')} ${left > 0 ? `ends on ${end}` : `ended on ${end}`}.`,
      'Jobs that are running then continue; no further job starts until a new authorization code is entered.',
    ],
    action: { label: 'Renew the licence', href: `${config.cloudAppUrl}/licences` },
  });
  await queueMessage(database, services, message, { kind: 'licence-reminder', uid: licence.uid });
  return undefined;
};

/** In days of UTC, like the body. @param left whole days until the end; the last one may have begun */
function subjectOf(left: number, endsToday: boolean): string {
  if (left <= 0) return 'Your licence has ended';
  if (left > 1) return `Your licence ends in ${left} days`;
  return endsToday ? 'Your licence ends today' : 'Your licence ends tomorrow';
}
