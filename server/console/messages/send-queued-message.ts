import { z } from 'zod';
import type { Message } from '../../senders/message.ts';
import type { TaskHandler } from '../tasks/task-handlers.ts';

/** A queued message as it was stored. */
export const messageSchema = z.strictObject({
  channel: z.enum(['mail', 'sms']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  code: z.string().optional(),
}) satisfies z.ZodType<Message, unknown>;

/** Hands a queued message over for delivery. */
export const sendQueuedMessage: TaskHandler = async ({ secretKey, send }, { key, payload }) => {
  await send(messageSchema.parse(JSON.parse(secretKey.decrypt('message', key, payload))));
  return undefined;
};
