import { z } from 'zod';

/** What surrounds the answer of a call. @param data what the call returns */
export function answerSchema<Data>(data: z.ZodType<Data>) {
  return z.object({
    success: z.literal(true),
    data,
    requestId: z.string().optional().describe('With a key.'),
    code: z.literal('1').optional().describe('With a key.'),
    msg: z.literal('ok').optional().describe('With a key.'),
  });
}
export type KeyAnswer = Required<z.infer<ReturnType<typeof answerSchema<unknown>>>>;

/** A call that was not carried out. */
export const refusalSchema = z
  .object({
    success: z.literal(false),
    code: z.string().describe('With a key "0"; with a session the name of the refusal.'),
    msg: z.string().describe('The reason, a sentence for people.'),
    requestId: z.string().describe("Identifies the request in the server's log."),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('With a key null; with a session what the caller needs in order to continue.'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('With a session: what is wrong with each field; with a key `msg` says it.'),
  })
  .meta({ id: 'Refusal', description: 'The call was not carried out.' });
export type Refusal = z.infer<typeof refusalSchema>;
