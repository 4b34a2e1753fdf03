import type { RequestHandler } from 'express';
import { ConcurrencyLimit } from '../http/concurrency-limit.ts';
import { contextOf } from '../http/request-context.ts';
import { fileHeaders } from './file-headers.ts';
import { CachedResponse } from './response-cache/cached-response.ts';
import type { KnownUrls } from './response-cache/known-urls.ts';
import type { ResponseCache } from './response-cache/response-cache.ts';
import { sendCached } from './response-cache/send-cached.ts';
import type { GeneratedFile, SiteServices } from './services.ts';

/** Serves what is made from the content but is no page: feeds, the sitemap, markdown sources, preview pictures. */
export function generatedFiles(services: SiteServices, cache: ResponseCache, front: KnownUrls): RequestHandler {
  const https = services.config.publicUrl.startsWith('https:');
  const gate = new ConcurrencyLimit({ running: 2, waiting: 30 });
  // Drawing keeps a processor busy: one picture at a time, and nobody who searches waits for it.
  const pictures = new ConcurrencyLimit({ running: 1, waiting: 30 });

  return async (req, res, next) => {
    const context = contextOf(req);
    const found = services.findGeneratedFile?.(context.path, context.query);
    if (!found) return next();
    context.route = found.route;
    await found.ready?.();
    const turn = found.type.startsWith('image/') ? pictures : gate;
    const { since } = cache;
    const make = () => turn.run(() => store(found, https, since));
    if (found.cacheKey === undefined || services.devMiddleware) {
      return sendCached(req, res, await make(), context.id);
    }
    const key = `text:${found.cacheKey}`;
    const answer = await cache.load(key, make);
    front.remember(req.url, key);
    return sendCached(req, res, answer, context.id);
  };
}

async function store(found: GeneratedFile, https: boolean, lastModified: number): Promise<CachedResponse> {
  const headers = fileHeaders(found.type, found.cacheControl ?? 'public, max-age=300', https);
  const made = await found.body();
  const body = typeof made === 'string' ? Buffer.from(made) : made;
  return new CachedResponse({ status: 200, route: found.route, headers, body, lastModified });
}
