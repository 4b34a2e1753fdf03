import type { RequestHandler } from 'express';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import { siteLimits } from '../limits.ts';
import type { SiteServices } from '../services.ts';
import { foreignOriginWatch } from './foreign-origin.ts';
import { forwarder } from './forward.ts';
import { alsoPages, callAt } from './table.ts';

/** Answers the contract's calls; passes everything else on. */
export function calls({ config, limits = siteLimits, lastCall, log }: SiteServices): RequestHandler {
  const forward = forwarder(config, limits, lastCall);
  const watch = foreignOriginWatch(config, log);

  return async (req, res, next) => {
    const context = contextOf(req);
    const { path } = context;
    const kind = callAt(path);
    if (kind === 'none') return next();
    if (req.method !== 'POST') return otherMethod(context, kind, next);
    if (kind === 'unknown call') throw new HttpError('NOT_FOUND');
    context.route = path;
    watch(req);
    return forward(req, res);
  };
}

/** A call's address may also be a page, or only a call. */
function otherMethod(context: { path: string; route: string }, kind: 'call' | 'unknown call', next: () => void) {
  if (kind === 'unknown call' || alsoPages.has(context.path)) return next();
  context.route = context.path;
  throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } });
}
