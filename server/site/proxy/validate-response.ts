import type { HttpError } from '../../http/errors.ts';
import { parseJson } from '../../http/json-body.ts';
import { BackendError } from './errors.ts';
import type { UpstreamAnswer } from './upstream.ts';

const json = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Passes an answer that a browser may receive; rejects redirects, server errors and anything that is not JSON. */
export function validateResponse(answer: UpstreamAnswer): UpstreamAnswer {
  const { status, body } = answer;
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

/**
 * Rejects what status and headers show to be no valid answer. @param isNothing there is no body, so its type does not
 * matter
 */
export function validateHead({ status, headers }: Omit<UpstreamAnswer, 'body'>, isNothing = false): void {
  if (status >= 500) throw failed(status, headers['retry-after']);
  const final = (status >= 200 && status < 300) || (status >= 400 && status < 500);
  if (!final) throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error(`Status ${status}.`) });
  if (isNothing) return;
  if (!json.test(headers['content-type'] ?? '') || (headers['content-encoding'] ?? 'identity') !== 'identity') {
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
