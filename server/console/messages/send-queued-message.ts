import { z } from 'zod';
import { type Message, SendingStopped } from '../../senders/message.ts';
import type { SecretKey } from '../secret-key.ts';
import { GivenUp, type TaskHandler } from '../tasks/task-handler.ts';

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
  /** Missing if an earlier version queued it. */
  about: z.object({ kind: z.string(), uid: z.string().optional() }).optional(),
});

/** @throws Error when it was encrypted under another key, or is not a message */
export function readQueued(secretKey: SecretKey, key: string, payload: string): z.infer<typeof queuedSchema> {
  return queuedSchema.parse(JSON.parse(secretKey.decrypt('message', key, payload)));
}

const sentence = 'a message that was never accepted was given up';

/**
 * Hands a queued message over for delivery. One that is never accepted, for example because its address does not exist,
 * is given up when its time is over: thousands of them, retried forever, would hold up all others. A code is not even
 * tried then, since it opens nothing any more.
 */
export const sendQueuedMessage: TaskHandler = async ({ secretKey, send, now }, { key, payload }) => {
  const { until, about, ...message } = readQueued(secretKey, key, payload);
  const named = { channel: message.channel, ...(about && { message: about.kind, uid: about.uid }) };
  const isOver = until !== undefined && now() >= until;
  if (isOver && about?.kind === 'code') throw new GivenUp(sentence, named);
  try {
    await send(message);
  } catch (error) {
    if (!isOver || error instanceof SendingStopped) throw error;
    throw new GivenUp(sentence, named, { cause: error });
  }
  return undefined;
};
