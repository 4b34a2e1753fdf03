import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { connectionsOf } from './connections.ts';
import { holdRequests } from './held-requests.ts';

export interface DrainLimits {
  /** Time to accept the connections that the system has already queued. */
  acceptMs: number;
  /** From calling `drain` until unfinished requests are cut off. */
  totalMs: number;
}

/** No connection has arrived for this long: clients that return after an answer have returned. */
const quietMs = 5;
/** An idle turn of the event loop takes a few microseconds. */
const shortMs = 0.2;

/** Long enough for every busy client to get an answer with `Connection: close`. */
const graceMs = 1_000;

/**
 * Stops a server: once `announced` is over nothing new is accepted, started requests finish, and the rest are cut off.
 * The listener must answer with `Connection: close` from now on.
 */
export async function drain(
  server: HttpServer,
  limits: DrainLimits,
  announced: Promise<unknown> = Promise.resolve(),
): Promise<'finished' | 'cut off'> {
  const cutOffAt = performance.now() + limits.totalMs;
  await announced;
  // A client that has its answer returns, perhaps between the last accept and the close.
  const release = holdRequests(server);
  await acceptAll(server, limits.acceptMs);
  const closed = new Promise<'finished'>((resolve) => server.once('close', () => resolve('finished')));
  // http.Server.close() also closes idle connections at once, some of which have a request in flight.
  NetServer.prototype.close.call(server);
  release();
  const closing = setInterval(() => {
    // Timers run before reads: after a long turn, an unread request may be waiting on a connection that looks idle.
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

/** Accepts the system's queued connections; the event loop accepts one per turn. */
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
    // There may be more.
    if (lastAt >= from) continue;
    // During a long turn a connection may have arrived that the next turn accepts.
    if (now - lastAt >= quietMs && now - from < shortMs) break;
    // Sleep instead of a tight loop, which the system would interrupt just before the close.
    await delay(1);
  }
  for (const event of events) server.off(event, note);
}

function cutOff(server: HttpServer): void {
  server.closeAllConnections();
  // Node does not count connections on which a tunnel was requested.
  for (const socket of connectionsOf(server)) socket.destroy();
}

function closeIdle(server: HttpServer): void {
  server.closeIdleConnections();
  // Browsers open connections ahead of need; Node does not count those as idle.
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy();
}
