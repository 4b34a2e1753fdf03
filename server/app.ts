import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { logAccess, logWhenDone } from './http/access-log.ts';
import { AnswerCache } from './http/answer-cache.ts';
import { errorHandler } from './http/error-handler.ts';
import { beginExchange } from './http/exchange.ts';
import { Front } from './http/front.ts';
import { checkHost } from './http/host.ts';
import { readOnly } from './http/methods.ts';
import { plainAddresses } from './http/plain-address.ts';
import { asRefusal, bareHeaders, refuse } from './http/refuse.ts';
import { nextRequestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { readTarget } from './http/target.ts';
import type { SiteServices } from './services.ts';
import { files } from './site/files.ts';
import { health } from './site/health.ts';
import { pages } from './site/page.ts';
import { calls } from './site/proxy/calls.ts';
import { alsoPages } from './site/proxy/table.ts';
import { texts } from './site/text.ts';

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
  const cache = new AnswerCache(cacheBytes);
  const front = new Front(cache);
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
  app.use(texts(services, cache, front));
  app.use(plainAddresses);
  app.use(pages(services, cache, front));
  app.use(errorHandler(services));

  /** A request without a stored answer: checked here, answered by Express. */
  function begin(req: IncomingMessage, res: ServerResponse, id: string, startedAt: number) {
    const exchange = { id, startedAt, route: 'refused', path: '', search: '', query: new URLSearchParams() };
    logWhenDone(log, req, res, exchange);
    res.setHeader('X-Request-Id', id);
    try {
      checkHost(req);
      Object.assign(exchange, readTarget(req.url ?? ''));
    } catch (error) {
      for (const [name, value] of Object.entries(bareHeaders)) res.setHeader(name, value);
      return refuse(res, asRefusal(error), id, 'page');
    }
    beginExchange(req, exchange);
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
