import { ResponseBodyError } from 'openid-client';

const mostCauses = 3;
const longest = 200;

/**
 * What may be logged of a failed sign-in: names, codes and the library's own sentences. The errors themselves contain
 * what was sent and answered: states, codes, tokens, addresses.
 */
export function describeFailure(error: unknown): { failure: string[] } {
  const failure: string[] = [];
  for (let cause = error; cause instanceof Error && failure.length < mostCauses; cause = cause.cause) {
    failure.push(describe(cause).slice(0, longest));
  }
  return { failure };
}

function describe(error: Error): string {
  // Its message quotes what could not be parsed.
  if (error instanceof SyntaxError) return error.name;
  if (error instanceof ResponseBodyError) return `${error.name}: ${error.status} ${error.error}`;
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.name}: ${error.message}${code}`;
}
