import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const connections = new WeakMap<Server, Set<Socket>>();

/** A server's open connections, counted from the first call on. */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const known = connections.get(server);
  if (known) return known;
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
