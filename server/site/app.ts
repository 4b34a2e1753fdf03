import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { logAccess, logWhenDone } from '../http/access-log.ts';
import { canonicalPaths } from '../http/canonical-path.ts';
import { toAppError } from '../http/errors.ts';
import { checkHost } from '../http/host.ts';
import { readOnly } from '../http/methods.ts';
import { setContext } from '../http/request-context.ts';
import { nextRequestId } from '../http/request-id.ts';
import { readTarget } from '../http/request-target.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { minimalHeaders, sendError } from '../http/send-error.ts';
import { errorHandler } from './error-handler.ts';
import { files } from './files.ts';
import { generatedFiles } from './generated-files.ts';
import { health } from './health.ts';
import { pages } from './pages.ts';
import { calls } from './proxy/calls.ts';
import { alsoPages } from './proxy/table.ts';
import { KnownUrls } from './response-cache/known-urls.ts';
import { ResponseCache } from './response-cache/response-cache.ts';
import type { SiteServices } from './services.ts';

const cacheBytes = 128 * 1024 * 1024;

export interface App {
  /** For `http.createServer`. */
  listener: (req: IncomingMessage, res: ServerResponse) => void;
  /** Prepares the compressed forms of the built files; the site may be served meanwhile. */
  warm: () => Promise<void>;
}

/** The site as a function of its services: stored answers in front, Express behind. */
export function createApp(services: SiteServices): App {
  const { config, log, devMiddleware } = services;
  const cache = new ResponseCache(cacheBytes);
  const front = new KnownUrls(cache);
  const servedFiles = files(services, cache, front);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', config.trustedProxies);
  app.use(
    securityHeaders({
      publicUrl: config.publicUrl,
      cloudAppUrl: config.cloudAppUrl,
      scriptHashes: services.scriptHashes ?? [],
      development: devMiddleware !== undefined,
    }),
  );
  app.use(calls(services));
  app.use(readOnly(alsoPages));
  app.use(health(services));
  if (devMiddleware) app.use(devMiddleware);
  app.use(servedFiles.handler);
  app.use(generatedFiles(services, cache, front));
  app.use(canonicalPaths(services.findPage));
  app.use(pages(services, cache, front));
  app.use(errorHandler(services));

  /** A request without a stored answer: checked here, answered by Express. */
  function begin(req: IncomingMessage, res: ServerResponse, id: string, startedAt: number) {
    const context = { id, startedAt, route: 'refused', path: '', search: '', query: new URLSearchParams() };
    logWhenDone(log, req, res, context);
    res.setHeader('X-Request-Id', id);
    try {
      checkHost(req);
      Object.assign(context, readTarget(req.url ?? ''));
    } catch (error) {
      for (const [name, value] of Object.entries(minimalHeaders)) res.setHeader(name, value);
      return sendError(res, toAppError(error), id, 'page');
    }
    setContext(req, context);
    app(req, res);
  }

  function listener(req: IncomingMessage, res: ServerResponse) {
    const startedAt = performance.now();
    const id = nextRequestId();
    if (services.draining?.()) res.shouldKeepAlive = false;
    cache.keepOnly(services.content().version);
    const answer = front.find(req);
    if (!answer) return begin(req, res, id, startedAt);
    try {
      checkHost(req);
    } catch {
      return begin(req, res, id, startedAt);
    }
    let bytes = 0;
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : 499;
      logAccess(log, id, req.method ?? '', answer.route, status, status === 499 ? 0 : bytes, startedAt);
    });
    front.send(req, res, answer, id, (sent) => {
      bytes = sent;
    });
  }

  return { listener, warm: servedFiles.warm };
}
