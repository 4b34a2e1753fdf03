import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { connectionsOf } from './connections.ts';

export interface DrainLimits {
  /** For taking in the connections that the system has accepted already. */
  acceptMs: number;
  /** From the call of `drain` until requests that are not finished are cut off. */
  totalMs: number;
}

/** Long enough for every busy client to get an answer that says `Connection: close`. */
const graceMs = 1_000;

/**
 * Stops a server: once `announced` is over nothing new is accepted, started requests are finished, the rest is cut off.
 * The listener must answer with `Connection: close` from now on.
 */
export async function drain(
  server: HttpServer,
  limits: DrainLimits,
  announced: Promise<unknown> = Promise.resolve(),
): Promise<'finished' | 'cut off'> {
  const cutOffAt = performance.now() + limits.totalMs;
  await announced;
  await acceptAll(server, limits.acceptMs);
  const closed = new Promise<'finished'>((resolve) => server.once('close', () => resolve('finished')));
  // http.Server.close() also closes idle connections at once, some of which have a request on the way.
  NetServer.prototype.close.call(server);
  const closing = setInterval(() => {
    // Timers come before reading: after a long turn, a request may lie unread on a connection that looks idle.
    setImmediate(() => closeIdle(server));
  }, graceMs);
  const cut = new AbortController();
  const leftMs = Math.max(0, cutOffAt - performance.now());
  const late = delay(leftMs, 'cut off' as const, { signal: cut.signal }).catch(() => 'cut off' as const);
  const outcome = await Promise.race([closed, late]);
  clearInterval(closing);
  cut.abort();
  if (outcome === 'cut off') server.closeAllConnections();
  return outcome;
}

/** Takes in what waits in the system's queue: the event loop accepts one connection a turn, so a turn without one ends it. */
async function acceptAll(server: HttpServer, limitMs: number): Promise<void> {
  let accepted = 0;
  const count = () => (accepted += 1);
  const events = ['connection', 'drop'];
  for (const event of events) server.on(event, count);
  const giveUpAt = performance.now() + limitMs;
  // The first turn ends where this was called from, perhaps behind the place where connections are accepted.
  await nextTurn();
  let before: number;
  do {
    before = accepted;
    await nextTurn();
  } while (accepted > before && performance.now() < giveUpAt);
  for (const event of events) server.off(event, count);
}

function closeIdle(server: HttpServer): void {
  server.closeIdleConnections();
  // Browsers open connections ahead of need; node does not count those as idle.
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy();
}
