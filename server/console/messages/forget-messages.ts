import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import { readQueued } from './send-queued-message.ts';

const taskRow = z.object({ id: z.string(), task_key: z.string(), payload: z.string() });

/**
 * Deletes the queued messages to an account; one that is being sent at this moment still arrives.
 * @param targets its e-mail address and phone number: not every message names the account
 */
export async function forgetMessages(
  queries: Queries,
  secretKey: SecretKey,
  uid: string,
  targets: readonly string[],
): Promise<void> {
  const own = new Set(targets.map((target) => target.toLowerCase()));
  const queued = await queries.all(taskRow, "SELECT id, task_key, payload FROM task WHERE kind = 'send-message'");
  for (const { id, task_key: key, payload } of queued) {
    const message = readable(secretKey, key, payload);
    if (message?.about?.uid === uid || (message && own.has(message.to.toLowerCase())))
      await queries.run('DELETE FROM task WHERE id = $1', [id]);
  }
}

/** @returns undefined for a damaged message: it cannot be sent either, which the log says at each try */
function readable(secretKey: SecretKey, key: string, payload: string) {
  try {
    return readQueued(secretKey, key, payload);
  } catch {
    return undefined;
  }
}
