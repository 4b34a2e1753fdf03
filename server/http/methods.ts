import type { RequestHandler } from 'express';
import { HttpError } from './errors.ts';
import { contextOf } from './request-context.ts';

/** Passes GET and HEAD; `alsoPost` lists addresses that are also calls. */
export function readOnly(alsoPost: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    const context = contextOf(req);
    context.route = 'method not allowed';
    throw new HttpError('METHOD_NOT_ALLOWED', {
      headers: { Allow: alsoPost.has(context.path) ? 'GET, HEAD, POST' : 'GET, HEAD' },
    });
  };
}
