import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Listener = (...args: unknown[]) => void;

/** What node listens to on a connection for the answers that are under way. */
const events = ['close', 'drain', 'error', 'timeout'] as const;

/**
 * Node hands a connection over as soon as a tunnel is asked for, and no longer cares for the answers before that.
 * @returns has it care for them again; what else comes on the connection is read and forgotten
 */
export function keepAnswering(server: Server): (socket: Duplex) => void {
  const ofNode = new WeakMap<Duplex, Listener[][]>();
  server.on('connection', (socket: Duplex) => {
    ofNode.set(
      socket,
      events.map((event) => socket.listeners(event) as Listener[]),
    );
  });

  return (socket) => {
    for (const [index, event] of events.entries()) {
      const left = new Set(socket.listeners(event));
      for (const listener of ofNode.get(socket)?.[index] ?? []) if (!left.has(listener)) socket.on(event, listener);
    }
    socket.resume();
  };
}
