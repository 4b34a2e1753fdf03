import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Listener = (...args: unknown[]) => void;

/** Node's own listeners on a connection for answers that are underway. */
const events = ['close', 'drain', 'error', 'timeout'] as const;

/**
 * Node hands a connection over as soon as a tunnel is requested, and stops handling the earlier answers.
 * @returns makes Node handle them again; other data on the connection is read and discarded
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
