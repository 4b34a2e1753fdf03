import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';
import { redirect } from './redirect.ts';
import { climbs } from './target.ts';

/** The address without `/index`, `/index.html`, `.html` or a trailing slash; undefined when it is plain already. */
export function plainAddress(path: string): string | undefined {
  // `//evil.example/` must never become a Location.
  if (path.includes('//')) return undefined;
  let plain = path;
  for (;;) {
    const shorter = plain.replace(/(?<=[^/])\/$|(?<=\/)index(?:\.html)?$|(?<=[^/])\.html$/, '');
    if (shorter === plain) break;
    plain = shorter;
  }
  // `/docs/...html` must not lead to `/docs/..`.
  return plain === path || climbs(plain) ? undefined : plain;
}

/** Sends visitors of an address's other spellings to the plain one, query kept. */
export const plainAddresses: RequestHandler = (req, res, next) => {
  const exchange = exchangeOf(req);
  const plain = plainAddress(exchange.path);
  if (plain === undefined) return next();
  exchange.route = 'plain-address';
  redirect(res, 301, encodePath(plain) + exchange.search);
};

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
