import type { RequestListener } from 'node:http';
import express from 'express';
import { canonicalPaths } from '../http/canonical-path.ts';
import { readOnly } from '../http/methods.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { consoleStyles } from './console-styles.ts';
import { cspReportPath, cspReports } from './csp-report.ts';
import { errorHandler } from './error-handler.ts';
import { files } from './files.ts';
import { generatedFiles } from './generated-files.ts';
import { health } from './health.ts';
import { createTasks, siteLimits } from './limits.ts';
import { createListener } from './listener.ts';
import { redirectToPage } from './page-redirect.ts';
import { pages } from './pages.ts';
import { calls } from './proxy/calls.ts';
import { passThrough } from './proxy/pass-through.ts';
import { alsoPages } from './proxy/table.ts';
import { KnownUrls } from './response-cache/known-urls.ts';
import { ResponseCache } from './response-cache/response-cache.ts';
import type { SiteServices } from './services.ts';

const cacheBytes = 128 * 1024 * 1024;

export interface App {
  /** For `http.createServer`. */
  listener: RequestListener;
}

/** The site as a function of its services: stored responses in front, Express behind. */
export function createApp(services: SiteServices): App {
  const { config, devMiddleware } = services;
  const cache = new ResponseCache(cacheBytes);
  services.onContentChange?.(() => cache.clear());
  const knownUrls = new KnownUrls(cache);
  const tasks = createTasks(services.limits ?? siteLimits);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(
    securityHeaders({
      publicUrl: config.publicUrl,
      cloudAppUrl: config.cloudAppUrl,
      scriptHashes: services.scriptHashes ?? [],
      reportPath: cspReportPath,
      development: devMiddleware !== undefined,
    }),
  );
  // The development policy allows all of them; next to a hash, 'unsafe-inline' would have no effect.
  if (!devMiddleware) app.use('/console', consoleStyles);
  app.use(cspReports(services.log));
  app.use(passThrough(services));
  app.use(calls(services));
  app.use(readOnly(alsoPages));
  app.use(health(services));
  if (devMiddleware) app.use(devMiddleware);
  app.use(files(services, cache, knownUrls));
  app.use(generatedFiles(services, tasks, cache, knownUrls));
  app.use(canonicalPaths(services.findPage, redirectToPage));
  app.use(pages(services, tasks, cache, knownUrls));
  app.use(errorHandler(services));

  return { listener: createListener(services, knownUrls, app) };
}
