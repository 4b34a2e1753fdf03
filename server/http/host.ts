import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';

const hostName = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;
let lastGood = '';

/**
 * Rejects a missing, malformed or repeated Host header. Any well-formed name is served: it is never used to build a
 * link.
 */
export function checkHost(req: IncomingMessage): void {
  const host = req.headers.host;
  if (host === undefined) {
    if (req.httpVersion === '1.0') return;
    throw new HttpError('BAD_REQUEST');
  }
  if (host !== lastGood) {
    if (!isHostName(host)) throw new HttpError('BAD_REQUEST');
    lastGood = host;
  }
  let seen = 0;
  const { rawHeaders } = req;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') seen += 1;
  }
  if (seen > 1) throw new HttpError('BAD_REQUEST');
}

/** A name or an address, with or without a port. */
export function isHostName(host: string): boolean {
  return hostName.test(host);
}
