import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseCoding } from '../../http/accept-encoding.ts';
import { isNotModified } from '../../http/preconditions.ts';
import type { CachedResponse, Variant } from './cached-response.ts';

/** Called with the bytes of the body once the answer is handed over. */
export type Sent = (bytes: number) => void;

/**
 * Writes a stored answer with `writeHead` alone: headers set on `res` before are dropped, since the answer has all of
 * them.
 */
export function sendCached(
  req: IncomingMessage,
  res: ServerResponse,
  answer: CachedResponse,
  id: string,
  sent?: Sent,
): void | Promise<void> {
  // What Express set for pages in general is not meant for this answer.
  for (const name of res.getHeaderNames()) if (name !== 'x-request-id') res.removeHeader(name);
  const variant = answer.variant(chooseCoding(req.headers['accept-encoding']));
  if (variant instanceof Promise) return variant.then((made) => write(req, res, answer, made, id, sent));
  write(req, res, answer, variant, id, sent);
}

function write(
  req: IncomingMessage,
  res: ServerResponse,
  answer: CachedResponse,
  variant: Variant,
  id: string,
  sent?: Sent,
): void {
  if (answer.status === 200 && isNotModified(req.headers, variant.tags, answer.lastModified)) {
    res.writeHead(304, [...variant.notModifiedHeaders, 'X-Request-Id', id]);
    res.end();
    return;
  }
  res.writeHead(answer.status, [...variant.headers, 'X-Request-Id', id]);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.end(variant.body);
  sent?.(variant.body.length);
}
