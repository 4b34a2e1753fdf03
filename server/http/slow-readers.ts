import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsOf } from './connections.ts';

export interface SlowReaderLimits {
  checkMs: number;
  patienceMs: number;
  /** The rate at which a client must read an answer to keep its connection, averaged over `patienceMs`. */
  minBytes: number;
}

interface Progress {
  since: number;
  taken: number;
}

/** Written bytes that the system has accepted, including a write in progress: Node itself counts only whole writes. */
function takenOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const { bytesWritten, writeQueueSize }: { bytesWritten?: unknown; writeQueueSize?: unknown } =
    typeof handle === 'object' && handle !== null ? handle : {};
  return typeof bytesWritten === 'number' && typeof writeQueueSize === 'number'
    ? bytesWritten - writeQueueSize
    : socket.bytesWritten - socket.writableLength;
}

/** Closes connections whose clients read an answer more slowly than a bad mobile network would. */
export function closeSlowReaders(server: Server, { checkMs, patienceMs, minBytes }: SlowReaderLimits): void {
  const waiting = new WeakMap<Socket, Progress>();
  const open = connectionsOf(server);

  const timer = setInterval(() => {
    const now = performance.now();
    for (const socket of open) {
      if (socket.writableLength === 0) waiting.delete(socket);
      // Reset, otherwise the kernel would keep the rest of the answer for as long as the client says it is there.
      else if (isTooSlow(socket, now)) socket.resetAndDestroy();
    }
  }, checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));

  function isTooSlow(socket: Socket, now: number): boolean {
    const taken = takenOf(socket);
    const before = waiting.get(socket);
    if (!before) {
      waiting.set(socket, { since: now, taken });
      return false;
    }
    if (now - before.since < patienceMs) return false;
    waiting.set(socket, { since: now, taken });
    return taken - before.taken < minBytes;
  }
}
