import type { RequestHandler } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { sendText } from '../http/refuse.ts';
import type { SiteServices } from '../services.ts';

/** `/healthz`: the process answers. `/readyz`: it should be sent visitors. */
export function health(services: SiteServices): RequestHandler {
  return (req, res, next) => {
    const exchange = exchangeOf(req);
    if (exchange.path !== '/healthz' && exchange.path !== '/readyz') return next();
    exchange.route = exchange.path;
    const json = 'application/json; charset=utf-8';
    if (exchange.path === '/healthz') return sendText(res, 200, json, '{"status":"alive"}');
    if (services.draining?.()) return sendText(res, 503, json, '{"status":"draining"}', { 'Retry-After': '10' });
    const { version, stats } = services.content();
    sendText(res, 200, json, JSON.stringify({ status: 'ready', content: version, pages: stats.pages }));
  };
}
