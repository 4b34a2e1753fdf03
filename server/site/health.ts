import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.ts';
import { sendText } from '../http/send-error.ts';
import type { SiteServices } from './services.ts';

/** Whether a request asks for the state of the process, which is answered before everything else. */
export function isHealthCheck(url: string | undefined): boolean {
  return url === '/healthz' || url === '/readyz';
}

/** `/healthz`: the process answers. `/readyz`: it should receive visitors. */
export function health(services: SiteServices): RequestHandler {
  return (req, res, next) => {
    const context = contextOf(req);
    if (context.path !== '/healthz' && context.path !== '/readyz') return next();
    context.route = context.path;
    const json = 'application/json; charset=utf-8';
    if (context.path === '/healthz') return sendText(res, 200, json, '{"status":"alive"}');
    if (services.draining?.()) return sendText(res, 503, json, '{"status":"draining"}', { 'Retry-After': '10' });
    const { version, stats } = services.content();
    sendText(res, 200, json, JSON.stringify({ status: 'ready', content: version, pages: stats.pages }));
  };
}
