import type { z } from 'zod';
import { HttpError } from './errors.ts';

const mostUnknown = 10;
const longestName = 64;

/** For `safeParse`: messages for body faults that the schema has no message for. */
export const inPlainWords: z.core.ParseContext<z.core.$ZodIssue> = {
  error(issue) {
    if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing.';
    if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'must not be empty.';
    return undefined;
  },
};

/** The error for a body that does not match its schema: one sentence per field, unknown fields included. */
export function invalidFields(error: z.ZodError): HttpError {
  const fields = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys
          .slice(0, mostUnknown)
          .map((key) => [[...issue.path, key.slice(0, longestName)].join('.'), 'Unknown field.'])
      : [[issue.path.join('.') || 'body', issue.message]],
  );
  return new HttpError('INVALID_FIELDS', { fields: Object.fromEntries(fields) });
}
