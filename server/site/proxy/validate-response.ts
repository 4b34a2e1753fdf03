import type { HttpError } from '../../http/errors.ts';
import { parseJson } from '../../http/json-body.ts';
import { BackendError } from './errors.ts';
import type { UpstreamAnswer } from './upstream.ts';

const json = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Passes an answer that a browser may have; refuses redirects, server errors and whatever is not JSON. */
export function validateResponse(answer: UpstreamAnswer): UpstreamAnswer {
  const { status, headers, body } = answer;
  if (status >= 500) throw failed(status, headers['retry-after']);
  const final = (status >= 200 && status < 300) || (status >= 400 && status < 500);
  if (!final) throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error(`Status ${status}.`) });
  if (body.length === 0 && (status === 204 || status === 205)) return answer;
  if (!json.test(headers['content-type'] ?? '') || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error('The answer is not JSON.') });
  }
  try {
    parseJson(body);
  } catch {
    throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error('The answer is broken JSON.') });
  }
  return answer;
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
