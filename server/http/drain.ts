import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { connectionsOf } from './connections.ts';
import { holdRequests } from './held-requests.ts';

export interface DrainLimits {
  /** For taking in the connections that the system has accepted already. */
  acceptMs: number;
  /** From the call of `drain` until requests that are not finished are cut off. */
  totalMs: number;
}

/** No connection came for so long: whoever was about to come back after an answer has come. */
const quietMs = 5;
/** A turn of the event loop in which nothing happened takes some microseconds. */
const shortMs = 0.2;

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
  // A client that has its answer comes again, perhaps in the moment between the last accepting and the close.
  const release = holdRequests(server);
  await acceptAll(server, limits.acceptMs);
  const closed = new Promise<'finished'>((resolve) => server.once('close', () => resolve('finished')));
  // http.Server.close() also closes idle connections at once, some of which have a request on the way.
  NetServer.prototype.close.call(server);
  release();
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
  if (outcome === 'cut off') cutOff(server);
  return outcome;
}

/** Takes in what waits in the system's queue, of which the event loop accepts one connection a turn. */
async function acceptAll(server: HttpServer, limitMs: number): Promise<void> {
  const begun = performance.now();
  let lastAt = begun;
  const note = () => (lastAt = performance.now());
  const events = ['connection', 'drop'];
  for (const event of events) server.on(event, note);
  for (let now = begun; now - begun < limitMs; ) {
    const from = performance.now();
    await nextTurn();
    now = performance.now();
    // There may be more of them.
    if (lastAt >= from) continue;
    // In a long turn somebody may have come whom the next one takes in.
    if (now - lastAt >= quietMs && now - from < shortMs) break;
    // Asleep, not in a tight loop, which the system would interrupt just before the close.
    await delay(1);
  }
  for (const event of events) server.off(event, note);
}

function cutOff(server: HttpServer): void {
  server.closeAllConnections();
  // Node does not count connections on which a tunnel was asked for.
  for (const socket of connectionsOf(server)) socket.destroy();
}

function closeIdle(server: HttpServer): void {
  server.closeIdleConnections();
  // Browsers open connections ahead of need; node does not count those as idle.
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy();
}
