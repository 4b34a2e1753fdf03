import { z } from 'zod';

/** The number of a job or a data source; clients send it as a number or as text, and 0 if there is none. */
export const id = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number.')
    .transform(Number),
]);

/** true, false, or their text. */
export const flagField = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

export const hostType = z.enum(['PRIVATE', 'PUBLIC']);

/** One of these words, or nothing: missing, null and empty match anything. */
export function wordFilter<const Words extends readonly string[]>(words: Words) {
  return z.enum([...words, '']).nullish();
}

/** A text that may be missing, null or empty. */
export const optionalText = z
  .string()
  .max(4_096)
  .nullish()
  .transform((text) => text ?? '');

/** A field whose text is JSON of a known shape; the value itself is accepted too. @param about for the document */
export function jsonText<Content>(schema: z.ZodType<Content>, about = '') {
  return z
    .unknown()
    .meta({ description: `JSON, preferably as text. ${about}`.trimEnd() })
    .transform((value, context): unknown => {
      if (typeof value !== 'string') return value;
      // The escape of a character that PostgreSQL cannot store as text.
      if (value.includes('\\u0000')) {
        context.addIssue({ code: 'custom', message: 'contains a character that cannot be stored.' });
        return z.NEVER;
      }
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON.' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
