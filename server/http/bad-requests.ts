import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';
import { keepAnswering } from './keep-answering.ts';
import { nextRequestId } from './request-id.ts';
import { minimalHeaders } from './send-error.ts';

interface LastRequest {
  req: IncomingMessage;
  res: ServerResponse;
}

/**
 * Answers what never reaches the listener: malformed or incomplete requests, and requests for a tunnel. Each gets its
 * own log line and ends its connection.
 */
export function answerBadRequests(server: Server, log: Log, https: boolean): void {
  /** The last request of each connection. */
  const last = new WeakMap<Duplex, LastRequest>();
  const refused = new WeakSet<Duplex>();
  const note = (req: IncomingMessage, res: ServerResponse) => last.set(req.socket, { req, res });
  server.prependListener('request', note);
  server.prependListener('checkExpectation', note);
  const resume = keepAnswering(server);

  function refuse(socket: Duplex, status: number, id: string, headers?: Record<string, string>): void {
    const text = response(status, { ...headers, ...minimalHeaders(https), 'X-Request-Id': id });
    whenItsTurn(last.get(socket), socket, () => {
      // The previous answer may have closed its connection.
      if (socket.writable) socket.end(text, () => socket.destroy());
    });
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The system's error, not the parser's: the connection is lost, and the lines of its requests report that.
    if (error.syscall !== undefined) {
      socket.destroy();
      return;
    }
    // What follows it on the connection is not a request either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const status = statusOf(error.code);
    const id = nextRequestId();
    // If a client leaves in the middle of a request's body, that request's own line reports it.
    const isKnown = error.code === 'HPE_INVALID_EOF_STATE' && last.get(socket)?.req.complete === false;
    // Same shape as every other request; Node does not say what came before or when it began.
    const line = { id, method: '', route: 'refused', status, ms: 0, bytes: 0, code: error.code };
    if (!isKnown) log.info(line, 'not a request');
    refuse(socket, status, id);
  });

  server.on('connect', (req, socket) => {
    refused.add(socket);
    resume(socket);
    const id = nextRequestId();
    const { method = '' } = req;
    log.info({ id, method, route: 'method not allowed', status: 405, ms: 0, bytes: 0 }, 'request');
    refuse(socket, 405, id, { Allow: 'GET, HEAD, POST' });
  });
}

/**
 * Answers follow the order of requests: ours comes after the previous one, or replaces it when that is the broken one.
 */
function whenItsTurn(before: LastRequest | undefined, socket: Duplex, answer: () => void): void {
  if (!before) {
    answer();
    return;
  }
  const { req, res } = before;
  if (req.complete) afterIt(res, answer);
  else if (res.socket === null && !res.writableFinished) {
    whenOnSocket(res, socket, () => whenItsTurn(before, socket, answer));
  }
  // It was refused before it broke: one answer is enough.
  else if (res.writableEnded) afterIt(res, () => socket.end(() => socket.destroy()));
  else if (res.headersSent) socket.destroy();
  else answer();
}

function afterIt(res: ServerResponse, next: () => void): void {
  if (res.writableFinished) next();
  else res.once('finish', next);
}

/** Waits until earlier answers are sent, at most until the connection closes: idle and slow-reader limits close it. */
function whenOnSocket(res: ServerResponse, socket: Duplex, next: () => void): void {
  const itsTurn = () => {
    socket.off('close', gone);
    next();
  };
  const gone = () => res.off('socket', itsTurn);
  res.once('socket', itsTurn);
  socket.once('close', gone);
}

function response(status: number, headers: Record<string, string>): string {
  const all = { Connection: 'close', 'Content-Length': '0', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function statusOf(code: string | undefined): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return 400;
}
