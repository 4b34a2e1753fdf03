import type { ServerResponse } from 'node:http';

/** Answers with a redirect that may be cached for an hour. */
export function redirect(res: ServerResponse, status: 301 | 302, to: string): void {
  res.statusCode = status;
  res.setHeader('Location', to);
  res.setHeader('Cache-Control', status === 301 ? 'public, max-age=3600' : 'no-cache');
  res.setHeader('Content-Length', 0);
  res.end();
}

/** Adds a query to an address of this site that has none. */
export function withSearch(to: string, search: string): string {
  if (search === '' || !/^\/(?!\/)/.test(to) || to.includes('?')) return to;
  const hash = to.indexOf('#');
  return hash < 0 ? to + search : to.slice(0, hash) + search + to.slice(hash);
}
