import { z } from 'zod';
import type { HttpError } from '../../http/errors.ts';
import { parseJson } from '../../http/json-body.ts';
import { BackendError } from './errors.ts';
import type { UpstreamAnswer } from './upstream.ts';

const json = /^application\/(?:[\w.-]+\+)?json\b/i;

/** A failure as the console backend reports it. */
const failure = z.strictObject({
  success: z.literal(false),
  code: z.string().regex(/^[A-Z_]{1,64}$/),
  msg: z.string().min(1).max(1_000),
  requestId: z.string().max(64),
});

/**
 * Passes an answer that a browser may receive; rejects redirects, anything that is not JSON, and server errors that do
 * not say in the envelope what failed.
 */
export function validateResponse(answer: UpstreamAnswer): UpstreamAnswer {
  const { status, body } = answer;
  if (status >= 500 && isFailure(answer)) return answer;
  const isNothing = body.length === 0 && (status === 204 || status === 205);
  validateHead(answer, isNothing);
  if (isNothing) return answer;
  try {
    parseJson(body);
  } catch {
    throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error('The answer is not valid JSON.') });
  }
  return answer;
}

function isFailure({ headers, body }: UpstreamAnswer): boolean {
  if (!isPlainJson(headers)) return false;
  try {
    return failure.safeParse(parseJson(body)).success;
  } catch {
    // Not even JSON.
    return false;
  }
}

function isPlainJson(headers: UpstreamAnswer['headers']): boolean {
  return json.test(headers['content-type'] ?? '') && (headers['content-encoding'] ?? 'identity') === 'identity';
}

/**
 * Rejects what status and headers show to be no valid answer. @param isNothing there is no body, so its type does not
 * matter
 */
export function validateHead({ status, headers }: Omit<UpstreamAnswer, 'body'>, isNothing = false): void {
  if (status >= 500) throw failed(status, headers['retry-after']);
  const final = (status >= 200 && status < 300) || (status >= 400 && status < 500);
  if (!final) throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error(`Status ${status}.`) });
  if (isNothing) return;
  if (!isPlainJson(headers)) {
    throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error('The answer is not JSON.') });
  }
}

function failed(status: number, retryAfter: string | undefined): HttpError {
  const cause = new Error(`Status ${status}.`);
  if (status === 504) return new BackendError('BACKEND_TOO_SLOW', { cause });
  if (status !== 503) return new BackendError('BACKEND_FAILED', { cause });
  return new BackendError('BACKEND_BUSY', {
    cause,
    ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
  });
}
