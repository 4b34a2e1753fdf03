import type { RequestHandler } from 'express';
import type { AnswerCache } from '../http/answer-cache.ts';
import { exchangeOf } from '../http/exchange.ts';
import type { Front } from '../http/front.ts';
import { Gate } from '../http/gate.ts';
import { sendStored } from '../http/send-stored.ts';
import { StoredAnswer } from '../http/stored-answer.ts';
import type { FoundText, SiteServices } from '../services.ts';
import { fileHeaders } from './file-headers.ts';

/** Serves what is made from the content but is no page: feeds, the sitemap, markdown sources, preview pictures. */
export function texts(services: SiteServices, cache: AnswerCache, front: Front): RequestHandler {
  const https = services.config.publicUrl.startsWith('https:');
  const gate = new Gate({ running: 2, waiting: 30 });
  // Drawing keeps a processor busy: one picture at a time, and nobody who searches waits for it.
  const pictures = new Gate({ running: 1, waiting: 30 });

  return async (req, res, next) => {
    const exchange = exchangeOf(req);
    const found = services.findText?.(exchange.path, exchange.query);
    if (!found) return next();
    exchange.route = found.route;
    const turn = found.type.startsWith('image/') ? pictures : gate;
    const { since } = cache;
    const make = () => turn.run(() => store(found, https, since));
    if (found.cacheKey === undefined || services.devMiddleware) {
      return sendStored(req, res, await make(), exchange.id);
    }
    const key = `text:${found.cacheKey}`;
    const answer = await cache.load(key, make);
    front.remember(req.url, key);
    return sendStored(req, res, answer, exchange.id);
  };
}

async function store(found: FoundText, https: boolean, lastModified: number): Promise<StoredAnswer> {
  const headers = fileHeaders(found.type, found.cacheControl ?? 'public, max-age=300', https);
  const made = await found.body();
  const body = typeof made === 'string' ? Buffer.from(made) : made;
  return new StoredAnswer({ status: 200, route: found.route, headers, body, lastModified });
}
