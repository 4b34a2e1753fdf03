import { isIP } from 'node:net';
import type { Request } from 'express';

/** Who sent a request: the other end of the connection, or whom a trusted proxy there names. */
export function clientAddress(req: Request): string {
  // Express follows X-Forwarded-For through the proxies of the setting 'trust proxy'.
  const named = plain(req.ip);
  return isIP(named) ? named : plain(req.socket.remoteAddress);
}

/** An IPv4 address without the prefix it has on a socket for both kinds. */
function plain(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}
