import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.ts';
import { fileHeaders } from './file-headers.ts';
import type { SiteTasks } from './limits.ts';
import { CachedResponse } from './response-cache/cached-response.ts';
import type { KnownUrls } from './response-cache/known-urls.ts';
import type { ResponseCache } from './response-cache/response-cache.ts';
import { sendCached } from './response-cache/send-cached.ts';
import type { GeneratedFile, SiteServices } from './services.ts';

/**
 * Serves what is generated from the content but is not a page: feeds, the sitemap, markdown sources, preview pictures.
 */
export function generatedFiles(
  services: SiteServices,
  tasks: SiteTasks,
  cache: ResponseCache,
  knownUrls: KnownUrls,
): RequestHandler {
  const https = services.config.publicUrl.startsWith('https:');
  const startedAt = Date.now();
  const contentSince = services.contentSince ?? (() => startedAt);

  return async (req, res, next) => {
    const context = contextOf(req);
    // The version of the content that was read; it may change while this request waits.
    const { version } = cache;
    const since = contentSince();
    const found = services.findGeneratedFile?.(context.path, context.query);
    if (!found) return next();
    context.route = found.route;
    await found.ready?.();
    const make = () => store(found, https, since);
    const isPicture = found.type.startsWith('image/');
    if (found.cacheKey === undefined || services.devMiddleware) {
      return sendCached(req, res, await (isPicture ? tasks.pictures : tasks.once).run(make, res), context);
    }
    const key = `generated:${found.cacheKey}`;
    const response = await cache.load(key, () => (isPicture ? tasks.pictures : tasks.kept).run(make), version);
    knownUrls.remember(req, key);
    return sendCached(req, res, response, context);
  };
}

async function store(found: GeneratedFile, https: boolean, lastModified: number): Promise<CachedResponse> {
  const headers = fileHeaders(found.type, found.cacheControl ?? 'public, max-age=300', https);
  const made = await found.body();
  const body = typeof made === 'string' ? Buffer.from(made) : made;
  return new CachedResponse({ status: 200, route: found.route, headers, body, lastModified });
}
