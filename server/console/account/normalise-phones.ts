import { z } from 'zod';
import { dayMs } from '../../../client/contract/dates.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { findAccount } from './accounts.ts';
import { phoneTarget } from './targets.ts';

const row = z.object({ uid: z.string(), phone: z.string() });

/**
 * Brings stored phone numbers into the form in which sign-in looks them up. If another account has that number already,
 * the operator is told, once a day until one of them is erased.
 */
export const normalisePhones: TaskHandler = async ({ database, log, now }) => {
  let conflicts = 0;
  for (const { uid, phone } of await database.all(row, 'SELECT uid, phone FROM account WHERE phone IS NOT NULL')) {
    const target = await phoneTarget(phone);
    if (target.key === phone) continue;
    const other = await findAccount(database, target);
    if (other) {
      conflicts += 1;
      log.warn(
        { uid, sameNumber: other.uid },
        'two accounts have the same phone number in two spellings, and only one is found by it: ask their owner which to keep, and erase the other with npm run account -- erase',
      );
    } else {
      // A sign-up that takes the number meanwhile makes this fail, and the task is tried again.
      await database.run('UPDATE account SET phone = $1 WHERE uid = $2 AND phone = $3', [target.key, uid, phone]);
    }
  }
  return conflicts > 0 ? now() + dayMs : undefined;
};
