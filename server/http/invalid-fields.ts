import type { z } from 'zod';
import { HttpError } from './errors.ts';

type Issue = z.core.$ZodIssue;

const mostUnknown = 10;
const longestName = 64;
const isMissing = 'is missing.';
/** The library's own message for a value that fits none of several schemas. */
const noneFits = 'Invalid input';

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const counted: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** For `safeParse`: messages for body faults that the schema has no message for. */
export const inPlainWords: z.core.ParseContext<Issue> = {
  error(issue) {
    const { code, origin } = issue;
    if (code === 'invalid_type') {
      if (issue.input === undefined) return isMissing;
      const kind = kinds[String(issue.expected)];
      return kind && `must be ${kind}.`;
    }
    if (code === 'too_small') {
      if (origin === 'string' && issue.minimum === 1) return 'must not be empty.';
      return `must ${amount(origin)} at least ${issue.minimum}${counted[String(origin)] ?? ''}.`;
    }
    if (code === 'too_big') return `must ${amount(origin)} at most ${issue.maximum}${counted[String(origin)] ?? ''}.`;
    if (code === 'invalid_value' && Array.isArray(issue.values))
      return `must be one of: ${issue.values.filter((value) => value !== '').join(', ')}.`;
    return undefined;
  },
};

const amount = (origin: unknown) => (Object.hasOwn(counted, String(origin)) ? 'have' : 'be');

/**
 * The faults of a body. Of a value that fits none of several schemas, they are those of the schema that it was meant
 * for: the one of which the least is missing.
 */
export function issuesOf(error: Pick<z.ZodError, 'issues'>): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.message !== noneFits) return [issue];
    const missing = (branch: readonly Issue[]) => branch.filter(({ message }) => message === isMissing).length;
    const [meant = [issue]] = issue.errors.toReversed().toSorted((one, other) => missing(one) - missing(other));
    return issuesOf({ issues: meant.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) });
  });
}

/** The error for a body that does not match its schema: one sentence per field, unknown fields included. */
export function invalidFields(error: z.ZodError): HttpError {
  const fields = issuesOf(error).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys
          .slice(0, mostUnknown)
          .map((key) => [[...issue.path, key.slice(0, longestName)].join('.'), 'Unknown field.'])
      : [[issue.path.join('.') || 'body', issue.message]],
  );
  return new HttpError('INVALID_FIELDS', { fields: Object.fromEntries(fields) });
}
