import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { RequestContext } from './request-context.ts';

/** One line a request. The route is a pattern: addresses and queries, which may hold secrets, are never written. */
export function logAccess(
  log: Log,
  id: string,
  method: string,
  route: string,
  status: number,
  bytes: number,
  startedAt: number,
): void {
  const ms = Math.round((performance.now() - startedAt) * 100) / 100;
  log.info({ id, method, route, status, ms, bytes }, 'request');
}

/** Logs the request once its answer is out or its client is gone (499). */
export function logWhenDone(log: Log, req: IncomingMessage, res: ServerResponse, context: RequestContext): void {
  res.once('close', () => {
    const status = res.writableFinished ? res.statusCode : 499;
    const length = Number(res.getHeader('content-length') ?? 0);
    const bytes = req.method === 'HEAD' || status === 304 || status === 499 ? 0 : length;
    logAccess(log, context.id, req.method ?? '', context.route, status, bytes, context.startedAt);
  });
}
