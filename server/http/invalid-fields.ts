import type { z } from 'zod';
import { HttpError } from './errors.ts';

const mostUnknown = 10;
const longestName = 64;

/** The refusal of a body that does not fit its schema: one sentence for each field, unknown ones named too. */
export function invalidFields(error: z.ZodError): HttpError {
  const fields = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, mostUnknown).map((key) => [key.slice(0, longestName), 'Unknown field.'])
      : [[issue.path.join('.') || 'body', issue.message]],
  );
  return new HttpError('INVALID_FIELDS', { fields: Object.fromEntries(fields) });
}
