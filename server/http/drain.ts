import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionsOf } from './connections.ts';

/** Long enough for every busy client to get an answer that says `Connection: close`. */
const graceMs = 1_000;

/**
 * Stops a server: once `announced` is over nothing new is accepted, started requests are finished, the rest is cut off
 * after `limitMs`. The listener must answer with `Connection: close` from now on.
 */
export async function drain(
  server: HttpServer,
  limitMs: number,
  announced: Promise<unknown> = Promise.resolve(),
): Promise<'finished' | 'cut off'> {
  await announced;
  // One more turn of the loop takes in the connections that the system has accepted already.
  await new Promise((resolve) => setImmediate(resolve));
  const closed = new Promise<'finished'>((resolve) => server.once('close', () => resolve('finished')));
  // http.Server.close() also closes idle connections at once, some of which have a request on the way.
  NetServer.prototype.close.call(server);
  const closing = setInterval(() => {
    // Timers come before reading: after a long turn, a request may lie unread on a connection that looks idle.
    setImmediate(() => closeIdle(server));
  }, graceMs);
  const cut = new AbortController();
  const late = delay(limitMs, 'cut off' as const, { signal: cut.signal }).catch(() => 'cut off' as const);
  const outcome = await Promise.race([closed, late]);
  clearInterval(closing);
  cut.abort();
  if (outcome === 'cut off') server.closeAllConnections();
  return outcome;
}

function closeIdle(server: HttpServer): void {
  server.closeIdleConnections();
  // Browsers open connections ahead of need; node does not count those as idle.
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy();
}
