import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { RequestContext } from './request-context.ts';

export type RequestLevel = 'info' | 'debug';

/**
 * Logs the request once its answer is out or its client is gone (499): one line. The route is a pattern: addresses and
 * queries, which may hold secrets, are never written.
 * @param level `debug` where a server in front has a line for the same request
 */
export function logWhenDone(
  log: Log,
  req: IncomingMessage,
  res: ServerResponse,
  context: RequestContext,
  level: RequestLevel = 'info',
): void {
  res.once('close', () => {
    const { id, route, startedAt } = context;
    const status = res.writableFinished ? res.statusCode : 499;
    const length = context.bytes ?? Number(res.getHeader('content-length') ?? 0);
    const bytes = req.method === 'HEAD' || status === 304 || status === 499 ? 0 : length;
    const ms = Math.round((performance.now() - startedAt) * 100) / 100;
    log[level]({ id, method: req.method ?? '', route, status, ms, bytes }, 'request');
  });
}
