import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';
import { nextRequestId } from './request-id.ts';
import { minimalHeaders } from './send-error.ts';

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

/** Answers what is no request at all, or not a whole one, and never reaches the listener; each has its line in the log. */
export function answerBadRequests(server: Server, log: Log, https: boolean): void {
  /** The last request of each connection. */
  const last = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();
  const note = (req: IncomingMessage, res: ServerResponse) => last.set(req.socket, { req, res });
  server.prependListener('request', note);
  server.prependListener('checkExpectation', note);

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What comes after it on the connection is no request either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const status = statusOf(error.code);
    const id = nextRequestId();
    // Of the shape of every other request; node does not tell what came before or when it began.
    log.info({ id, method: '', route: 'refused', status, ms: 0, bytes: 0, code: error.code }, 'not a request');
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    whenItsTurn(last.get(socket), socket, () => socket.end(response(status, id, https), () => socket.destroy()));
  });
}

/** Answers come in the order of the requests: ours after the one before it, or in its place when that is the broken one. */
function whenItsTurn(before: Exchange | undefined, socket: Duplex, answer: () => void): void {
  if (!before || before.res.writableFinished) answer();
  else if (before.req.complete) before.res.once('finish', answer);
  else if (before.res.socket === socket && !before.res.headersSent) answer();
  else socket.destroy();
}

function response(status: number, id: string, https: boolean): string {
  const headers = { Connection: 'close', 'Content-Length': '0', ...minimalHeaders(https), 'X-Request-Id': id };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function statusOf(code: string | undefined): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return 400;
}
