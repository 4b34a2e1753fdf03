import type { RequestHandler } from 'express';
import { calls as contract } from '../../../client/contract/calls.ts';
import { Refusal } from '../../errors.ts';
import { exchangeOf } from '../../http/exchange.ts';
import type { SiteServices } from '../../services.ts';
import { pageViewRecorder } from '../page-view.ts';
import { forwarder } from './forward.ts';
import { alsoPages, callAt } from './table.ts';

/** Answers the calls of the contract; everything else passes by. */
export function calls({ config, log, lastCall }: SiteServices): RequestHandler {
  const forward = forwarder(config, lastCall);
  const recordPageView = pageViewRecorder(log);

  return async (req, res, next) => {
    const exchange = exchangeOf(req);
    const { path } = exchange;
    const kind = callAt(path);
    if (kind === 'none') return next();
    if (req.method !== 'POST') return otherMethod(exchange, kind, next);
    if (kind === 'unknown call') throw new Refusal('NOT_FOUND');
    exchange.route = path;
    if (path === contract.addViewLog && !config.apiConfigured) return recordPageView(req, res);
    return forward(req, res);
  };
}

/** A call's address may be a page too, or nothing but a call. */
function otherMethod(exchange: { path: string; route: string }, kind: 'call' | 'unknown call', next: () => void) {
  if (kind === 'unknown call' || alsoPages.has(exchange.path)) return next();
  exchange.route = exchange.path;
  throw new Refusal('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } });
}
