import http, { type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';
import { nextRequestId } from './request-id.ts';
import { minimalHeaders } from './send-error.ts';
import { closeSlowReaders } from './slow-readers.ts';

/** Limits that close slow and idle connections within 15 s; a connection check runs every second. */
export const publicLimits = {
  headersTimeout: 8_000,
  requestTimeout: 12_000,
  keepAliveTimeout: 12_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};
/** Longer than the 9.5 s a proxied call may take in silence. */
const silenceMs = 13_000;
const maxConnections = 8_192;

/** A server with the limits of a public one. */
export function createSiteServer(listener: RequestListener, log: Log, limits = publicLimits): Server {
  // A missing Host is refused by the listener, with an id and a line in the log as everything else.
  const server = http.createServer({ ...limits, requireHostHeader: false }, listener);
  // An expectation that nobody knows may be ignored (RFC 9110 10.1.1); node would refuse it by itself.
  server.on('checkExpectation', listener);
  server.maxHeadersCount = 100;
  server.maxConnections = maxConnections;
  server.timeout = silenceMs;
  closeSlowReaders(server);

  // What is no request at all never reaches the listener.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = statusOf(error.code);
    const id = nextRequestId();
    // Of the shape of every other request; node does not tell what came before or when it began.
    log.info({ id, method: '', route: 'refused', status, ms: 0, bytes: 0, code: error.code }, 'not a request');
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return socket.destroy();
    socket.end(minimalResponse(status, id), () => socket.destroy());
  });
  return server;
}

/** Whether an earlier request of the connection waits for its answer, which ours would be taken for; as node itself asks. */
function isAnswering(socket: Duplex): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null;
}

function minimalResponse(status: number, id: string): string {
  const headers = { Connection: 'close', 'Content-Length': '0', ...minimalHeaders, 'X-Request-Id': id };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function statusOf(code: string | undefined): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return 400;
}
