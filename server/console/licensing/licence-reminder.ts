import { z } from 'zod';
import { composeMail } from '../messages/compose.ts';
import { queueMessage } from '../messages/queue-message.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';

const row = z.object({
  email: z.string().nullable(),
  links: z.number(),
  to_at: z.number(),
  replaced_by: z.string().nullable(),
});
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Reminds the owner that a licence ends; one that was replaced has nobody to remind. The key is `<licence>:<days before>`. */
export const remindOfLicence: TaskHandler = async (services, { key }) => {
  const { database, brand, config } = services;
  const [id = '', days = ''] = key.split(':');
  const licence = await database.one(
    row,
    'SELECT account.email, licence.links, licence.to_at, licence.replaced_by FROM licence JOIN account ON account.uid = licence.uid WHERE licence.id = $1',
    [id],
  );
  if (!licence?.email || licence.replaced_by !== null) return undefined;
  const message = composeMail(licence.email, brand.name, {
    subject: days === '1' ? 'Your licence ends tomorrow' : `Your licence ends in ${days} days`,
    paragraphs: [
      `The licence for ${licence.links} links ends on ${day.format(licence.to_at)}.`,
      'Jobs that run then go on; no further one starts until a new authorization code is entered.',
    ],
    action: { label: 'Renew the licence', href: `${config.cloudAppUrl}/licences` },
  });
  await queueMessage(database, services, message);
  return undefined;
};
