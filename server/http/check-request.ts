import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';
import { checkHost } from './host.ts';

/** Rejects requests that Node accepts but no application should answer. */
export function checkRequest(req: IncomingMessage): void {
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') {
    throw new HttpError('UNKNOWN_VERSION', { headers: { Connection: 'close' } });
  }
  const coding = req.headers['transfer-encoding'];
  // The parser removes only `chunked`: any other coding would be left in the body (RFC 9112 6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    // Without a final `chunked` the end of the body is unknown (6.3), which the parser also detects sooner or later.
    const isEndless = !/(?:^|,)[ \t]*chunked$/i.test(coding);
    throw new HttpError(isEndless ? 'BAD_REQUEST' : 'UNKNOWN_CODING', { headers: { Connection: 'close' } });
  }
  checkHost(req);
}
