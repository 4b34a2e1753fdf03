import type { RequestHandler, Response } from 'express';
import { softNavigation } from '../../client/contract/soft-navigation.ts';
import { withSearch } from '../http/redirect.ts';
import { contextOf, type RequestContext } from '../http/request-context.ts';
import { allowStyle } from '../http/security-headers.ts';
import { linkStyles } from './inline-styles.ts';
import type { SiteTasks } from './limits.ts';
import { redirectToPage } from './page-redirect.ts';
import { CachedResponse } from './response-cache/cached-response.ts';
import type { KnownUrls } from './response-cache/known-urls.ts';
import type { ResponseCache } from './response-cache/response-cache.ts';
import { sendCached } from './response-cache/send-cached.ts';
import type { FoundPage, SiteServices } from './services.ts';
import { isSoft } from './soft-navigation.ts';

/** Finds, renders and caches pages; everything that is not a page has been answered before. */
export function pages(
  services: SiteServices,
  tasks: SiteTasks,
  cache: ResponseCache,
  knownUrls: KnownUrls,
): RequestHandler {
  const startedAt = Date.now();
  const contentSince = services.contentSince ?? (() => startedAt);

  return async (req, res) => {
    const context = contextOf(req);
    // The version of the content that was read; it may change while this request waits.
    const { version } = cache;
    const since = contentSince();
    const found = await services.findPage(context.path, context.query);
    context.route = found.route;
    if (found.kind === 'redirect') return redirectToPage(res, found.status, withSearch(found.to, context.search));

    const make = () => draw(services, found, context, res, since);
    if (found.cacheKey === undefined || services.devMiddleware) {
      const response = await tasks.once.run(make, res);
      return sendCached(req, res, isSoft(req) ? linked(response) : response, context);
    }
    const key = `page:${found.cacheKey}`;
    const whole = () => cache.load(key, () => tasks.kept.run(make), version);
    // Derived from the other variant, so a page is rendered once.
    const variant = isSoft(req) ? `soft ${key}` : key;
    const response = await (isSoft(req) ? cache.load(variant, async () => linked(await whole()), version) : whole());
    knownUrls.remember(req, variant);
    return sendCached(req, res, response, context);
  };
}

/** The page as a response, with the headers that Express has set so far. */
async function draw(
  services: SiteServices,
  found: FoundPage,
  context: RequestContext,
  res: Response,
  lastModified: number,
): Promise<CachedResponse> {
  const props = { ...found.props, ...(await found.moreProps?.()) };
  const { status, html, styleHash } = await services.render({ ...found, props }, services.site, context.id);
  const headers: Record<string, string> = { 'Content-Type': 'text/html; charset=utf-8' };
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (name !== 'x-request-id') headers[headerName(name)] = String(value);
  }
  const policy = headers['Content-Security-Policy'];
  if (styleHash !== undefined && policy !== undefined)
    headers['Content-Security-Policy'] = allowStyle(policy, styleHash);
  // Revalidated each time, but still kept by the browser for going back.
  headers['Cache-Control'] = status === 200 ? 'public, max-age=0, must-revalidate' : 'no-cache';
  const body = Buffer.from(html);
  return new CachedResponse({ status, route: found.route, headers, vary: [softNavigation.name], body, lastModified });
}

/** The variant for the script that follows links. */
function linked({ parts }: CachedResponse): CachedResponse {
  return new CachedResponse({ ...parts, body: Buffer.from(linkStyles(parts.body.toString())) });
}

/** `x-frame-options` as `X-Frame-Options`. */
function headerName(name: string): string {
  return name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
