import type { RequestHandler, Response } from 'express';
import { withSearch } from './redirect.ts';
import { contextOf } from './request-context.ts';
import { climbs } from './request-target.ts';

/** The address without `/index`, `/index.html`, `.html` or a trailing slash; undefined when it is already plain. */
export function canonicalPath(path: string): string | undefined {
  // `//evil.example/` must never become a Location.
  if (path.includes('//')) return undefined;
  let plain = path;
  for (;;) {
    const shorter = plain.replace(/(?<=[^/])\/$|(?<=\/)index(?:\.html)?$|(?<=[^/])\.html$/, '');
    if (shorter === plain) break;
    plain = shorter;
  }
  // `/docs/...html` must not redirect to `/docs/..`.
  return plain === path || climbs(plain) ? undefined : plain;
}

/** What an application serves at an address. */
type FindPage = (path: string, query: URLSearchParams) => MaybePromise<{ kind: 'page' } | Redirect>;
type MaybePromise<T> = T | Promise<T>;
type Redirect = { kind: 'redirect'; status: 301 | 302; to: string };
/** How it redirects. */
type Answer = (res: Response, status: Redirect['status'], to: string) => void;

/**
 * Redirects other spellings of an address to the plain one and keeps the query; if that redirects again, straight to
 * its target.
 */
export function canonicalPaths(findPage: FindPage, redirect: Answer): RequestHandler {
  return async (req, res, next) => {
    const context = contextOf(req);
    const plain = canonicalPath(context.path);
    if (plain === undefined) return next();
    context.route = 'plain-address';
    // No redirect depends on a query, and without one no search runs.
    const found = await findPage(plain, new URLSearchParams());
    if (found.kind === 'redirect') return redirect(res, found.status, withSearch(found.to, context.search));
    redirect(res, 301, encodePath(plain) + context.search);
  };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
