import type { RequestHandler, Response } from 'express';
import type { AnswerCache } from '../http/answer-cache.ts';
import { type Exchange, exchangeOf } from '../http/exchange.ts';
import type { Front } from '../http/front.ts';
import { Gate } from '../http/gate.ts';
import { redirect, withSearch } from '../http/redirect.ts';
import { sendStored } from '../http/send-stored.ts';
import { StoredAnswer } from '../http/stored-answer.ts';
import type { FoundPage, SiteServices } from '../services.ts';

/** Finds, renders and keeps pages; everything that is not a page was answered before. */
export function pages(services: SiteServices, cache: AnswerCache, front: Front): RequestHandler {
  const gate = new Gate({ running: 4, waiting: 60 });

  return async (req, res) => {
    const exchange = exchangeOf(req);
    const found = await services.findPage(exchange.path, exchange.query);
    exchange.route = found.route;
    if (found.kind === 'redirect') return redirect(res, found.status, withSearch(found.to, exchange.search));

    const { since } = cache;
    const make = () => gate.run(() => draw(services, found, exchange, res, since));
    if (found.cacheKey === undefined || services.devMiddleware) {
      return sendStored(req, res, await make(), exchange.id);
    }
    const key = `page:${found.cacheKey}`;
    const answer = await cache.load(key, make);
    front.remember(req.url, key);
    return sendStored(req, res, answer, exchange.id);
  };
}

/** The page as an answer, with the headers that Express has set so far. */
async function draw(
  services: SiteServices,
  found: FoundPage,
  exchange: Exchange,
  res: Response,
  lastModified: number,
): Promise<StoredAnswer> {
  const { status, html } = await services.render(found, services.site, exchange.id);
  const headers: Record<string, string> = { 'Content-Type': 'text/html; charset=utf-8' };
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (name !== 'x-request-id') headers[headerName(name)] = String(value);
  }
  // Revalidated each time, and still kept by the browser for going back.
  headers['Cache-Control'] = status === 200 ? 'public, max-age=0, must-revalidate' : 'no-cache';
  return new StoredAnswer({ status, route: found.route, headers, body: Buffer.from(html), lastModified });
}

/** `x-frame-options` as `X-Frame-Options`. */
function headerName(name: string): string {
  return name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
