import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';
import { limitKey } from './client-address.ts';
import { CountedWarning } from './counted-warning.ts';
import { HttpError } from './errors.ts';

export interface AddressLimit {
  /** Open connections per address; 0: unlimited. */
  most: number;
  /** A trusted proxy's connections come from many visitors and are not counted. */
  isProxy: (address: string) => boolean;
}

const excess = new WeakSet<Socket>();

/**
 * Counts each address's open connections. Those above `most` get an error on their first request; the same number again
 * may wait for that error, and the rest are reset.
 */
export function limitConnections(server: Server, { most, isProxy }: AddressLimit, log: Log): void {
  if (most === 0) return;
  const resets = new CountedWarning(log, 'connections were reset: too many from one network');
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const key = limitKey(socket.remoteAddress);
    if (key === undefined || isProxy(socket.remoteAddress ?? '')) return;
    const count = (open.get(key) ?? 0) + 1;
    open.set(key, count);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
    if (count > most * 2) {
      resets.count();
      socket.resetAndDestroy();
    } else if (count > most) excess.add(socket);
  });
}

/** @throws HttpError TOO_MANY_CONNECTIONS for a request on a connection above the limit */
export function checkConnection(req: IncomingMessage): void {
  if (excess.has(req.socket)) {
    throw new HttpError('TOO_MANY_CONNECTIONS', { headers: { Connection: 'close', 'Retry-After': '10' } });
  }
}
