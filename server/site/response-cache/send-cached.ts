import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseCoding } from '../../http/accept-encoding.ts';
import { isNotModified } from '../../http/preconditions.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { CachedResponse, Variant } from './cached-response.ts';

/**
 * Writes a stored response with `writeHead` alone: headers previously set on `res` are dropped, since the response has
 * all of them. A promise only while its bytes are compressed for the first time.
 */
export function sendCached(
  req: IncomingMessage,
  res: ServerResponse,
  response: CachedResponse,
  context: RequestContext,
): void | Promise<void> {
  // What Express set for pages in general does not apply to this response.
  for (const name of res.getHeaderNames()) if (name !== 'x-request-id') res.removeHeader(name);
  const variant = response.variant(chooseCoding(req.headers['accept-encoding']));
  if (variant instanceof Promise) return variant.then((made) => write(req, res, response, made, context));
  write(req, res, response, variant, context);
}

function write(
  req: IncomingMessage,
  res: ServerResponse,
  response: CachedResponse,
  variant: Variant,
  context: RequestContext,
): void {
  if (response.status === 200 && isNotModified(req.headers, variant.tags, response.lastModified)) {
    res.writeHead(304, [...variant.notModifiedHeaders, 'X-Request-Id', context.id]);
    res.end();
    return;
  }
  res.writeHead(response.status, [...variant.headers, 'X-Request-Id', context.id]);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  context.bytes = variant.body.length;
  res.end(variant.body);
}
