import type { RequestHandler } from 'express';
import { Refusal } from '../errors.ts';
import { exchangeOf } from './exchange.ts';

/** Lets GET and HEAD through; `alsoPost` names addresses that are calls as well. */
export function readOnly(alsoPost: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    const exchange = exchangeOf(req);
    exchange.route = 'method not allowed';
    throw new Refusal('METHOD_NOT_ALLOWED', {
      headers: { Allow: alsoPost.has(exchange.path) ? 'GET, HEAD, POST' : 'GET, HEAD' },
    });
  };
}
