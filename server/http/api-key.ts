import type { IncomingMessage } from 'node:http';
import type { AppError } from '../errors.ts';

/** Whether a call comes with an API key or its signature instead of a session. */
export function comesWithKey(req: IncomingMessage, query: URLSearchParams): boolean {
  return isSignedQuery(query) || /^Bearer [^\s.]*\.[^\s]*$/i.test(req.headers.authorization ?? '');
}

/** Whether a query has any part of the credentials of a signed call. */
export function isSignedQuery(query: URLSearchParams): boolean {
  return ['AccessKeyId', 'SignatureMethod', 'SignatureNonce', 'Signature'].some((name) => query.has(name));
}

/** The envelope of a refused call that came with a key: `msg` also says what is wrong with each field. */
export function keyRefusal(error: AppError, requestId: string) {
  const fields = Object.entries(error.fields ?? {}).map(([name, text]) => `${name}: ${text}`);
  // A missing parameter is named by the sentence itself.
  const msg = error.status === 499 ? error.message : [error.message, ...fields].join(' ');
  return { requestId, code: '0', msg, data: null, success: false } as const;
}
