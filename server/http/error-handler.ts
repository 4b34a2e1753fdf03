import type { ErrorRequestHandler, Response } from 'express';
import type { Refusal } from '../errors.ts';
import type { SiteServices } from '../services.ts';
import { callAt } from '../site/proxy/table.ts';
import { exchangeOf } from './exchange.ts';
import { asRefusal, refuse, sendText } from './refuse.ts';

/** Turns whatever was thrown into an answer: the envelope for calls, a page for everything else. */
export function errorHandler(services: SiteServices): ErrorRequestHandler {
  return async (error: unknown, req, res, _next) => {
    const { id, path, route } = exchangeOf(req);
    const refusal = asRefusal(error);
    if (refusal.status >= 500 && refusal.code !== 'OVERLOADED') {
      services.log.error({ id, route, code: refusal.code, err: refusal.cause ?? error }, refusal.message);
    }
    if (res.headersSent || res.destroyed) return res.destroy();
    const isCall = callAt(path) !== 'none' && (req.method === 'POST' || refusal.status === 405);
    if (isCall) return refuse(res, refusal, id, 'json');
    if (refusal.code === 'INTERNAL') return crash(services, res, refusal, id);
    refuse(res, refusal, id, 'page');
  };
}

/** 'This page crashed.', or a plain page when that crashes as well. */
async function crash({ renderCrash, site }: SiteServices, res: Response, refusal: Refusal, id: string): Promise<void> {
  const crashed = await renderCrash(site, id).catch(() => undefined);
  if (crashed) sendText(res, 500, 'text/html; charset=utf-8', crashed.html);
  else refuse(res, refusal, id, 'page');
}
