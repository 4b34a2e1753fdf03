import http, { type RequestListener, type Server } from 'node:http';
import type { Log } from '../log.ts';
import { answerBadRequests } from './bad-requests.ts';
import { type AddressLimit, limitConnections } from './connection-limit.ts';
import { holdable } from './held-requests.ts';
import { closeSlowReaders, type SlowReaderLimits } from './slow-readers.ts';

/** Limits of a server that anyone may connect to; times in milliseconds. */
export interface ServerLimits {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  /** How often the timeouts above are checked. */
  connectionsCheckingInterval: number;
  /** Bytes of address and headers. */
  maxHeaderSize: number;
  /** How long a connection may be idle in both directions. */
  silence: number;
  slowReaders: SlowReaderLimits;
  maxConnections: number;
}

/** Slow and idle connections are closed within 15 s. */
export const publicLimits: ServerLimits = {
  headersTimeout: 8_000,
  requestTimeout: 12_000,
  keepAliveTimeout: 12_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // Longer than the 9.5 s that a proxied call may be silent.
  silence: 13_000,
  slowReaders: { checkMs: 2_000, patienceMs: 10_000, minBytes: 20_000 },
  maxConnections: 8_192,
};

interface ServerOptions {
  log: Log;
  /** Whether visitors connect over https, through a proxy in front. */
  https?: boolean;
  perAddress?: AddressLimit;
  limits?: ServerLimits;
}

/** A server with the limits of a public one. */
export function createPublicServer(listener: RequestListener, options: ServerOptions): Server {
  const { log, https = false, perAddress, limits = publicLimits } = options;
  const { silence, slowReaders, maxConnections, ...timeouts } = limits;
  // The listener rejects a missing Host, with an id and a log line as usual.
  const held: RequestListener = holdable(() => server, listener);
  const server = http.createServer({ ...timeouts, requireHostHeader: false }, held);
  // An unknown expectation may be ignored (RFC 9110 10.1.1); Node itself would reject it.
  server.on('checkExpectation', held);
  server.maxHeadersCount = 100;
  server.maxConnections = maxConnections;
  server.timeout = silence;
  if (perAddress) limitConnections(server, perAddress, log);
  closeSlowReaders(server, slowReaders);
  answerBadRequests(server, log, https);
  return server;
}
