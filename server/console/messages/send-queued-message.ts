import { z } from 'zod';
import type { Message } from '../../senders/message.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';

/** A queued message as it was stored. */
export const messageSchema = z.object({
  channel: z.enum(['mail', 'sms']),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  code: z.string().optional(),
}) satisfies z.ZodType<Message, unknown>;

const queuedSchema = messageSchema.extend({
  /** When it is tried for the last time, epoch ms; a message queued by an earlier version is retried without end. */
  until: z.number().optional(),
});

/**
 * Hands a queued message over for delivery. One that is never accepted, for example because its address does not exist,
 * is given up when its time is over: thousands of them, retried forever, would hold up all others.
 */
export const sendQueuedMessage: TaskHandler = async ({ secretKey, send, log, now }, { key, payload }) => {
  const { until, ...message } = queuedSchema.parse(JSON.parse(secretKey.decrypt('message', key, payload)));
  try {
    await send(message);
  } catch (error) {
    if (until === undefined || now() < until) throw error;
    log.error({ err: error, channel: message.channel }, 'a message that was never accepted was given up');
  }
  return undefined;
};
