import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { RequestContext } from './request-context.ts';

export type RequestLevel = 'info' | 'debug';

/**
 * Writes one log line per request, once its answer is sent or its client is gone (499). The route is a pattern:
 * addresses and queries, which may contain secrets, are never logged.
 * @param level `debug` when a server in front logs the same request
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
