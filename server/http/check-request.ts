import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';
import { checkHost } from './host.ts';

/** Refuses requests that node lets through and that no application should answer. */
export function checkRequest(req: IncomingMessage): void {
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') {
    throw new HttpError('UNKNOWN_VERSION', { headers: { Connection: 'close' } });
  }
  const coding = req.headers['transfer-encoding'];
  // The parser takes off `chunked` alone: any other coding would be left in the body (RFC 9112 6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    // Without `chunked` at the end nobody knows where the body ends (6.3), which the parser finds too, sooner or later.
    const isEndless = !/(?:^|,)[ \t]*chunked$/i.test(coding);
    throw new HttpError(isEndless ? 'BAD_REQUEST' : 'UNKNOWN_CODING', { headers: { Connection: 'close' } });
  }
  checkHost(req);
}
