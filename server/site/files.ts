import { readFile, realpath, stat } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { HttpError } from '../http/errors.ts';
import { mediaType } from '../http/media-type.ts';
import { contextOf } from '../http/request-context.ts';
import { fileHeaders } from './file-headers.ts';
import { FileTable, type ServedFile } from './file-table.ts';
import { CachedResponse } from './response-cache/cached-response.ts';
import type { KnownUrls } from './response-cache/known-urls.ts';
import type { ResponseCache } from './response-cache/response-cache.ts';
import { sendCached } from './response-cache/send-cached.ts';
import type { SiteServices } from './services.ts';

/** Files above this are read from disk each time, in ranges when asked. */
const maxStored = 1024 * 1024;

/** Serves built files, static files and pictures beside the markdown. */
export function files(services: SiteServices, cache: ResponseCache, knownUrls: KnownUrls): RequestHandler {
  const table = new FileTable(services.clientDir, services.staticDirs);
  const https = services.config.publicUrl.startsWith('https:');

  return async (req, res, next) => {
    const context = contextOf(req);
    const { version } = cache;
    const served = table.find(context.path, services.content().files);
    if (!served) return next();
    // A link may have been set in its place since it was found.
    const real = await realpath(served.file).catch(ifGone);
    const file = real === served.file ? await stat(real).catch(ifGone) : undefined;
    if (!file) return next();
    context.route = served.route;
    if (file.size > maxStored) {
      for (const name of res.getHeaderNames()) if (name !== 'x-request-id') res.removeHeader(name);
      const headers = fileHeaders(mediaType(served.file), served.cacheControl, https);
      res.sendFile(
        served.file,
        { headers, cacheControl: false, dotfiles: 'allow' },
        (error) => error && !res.headersSent && !res.destroyed && next(toFileError(error, file.size)),
      );
      return;
    }
    const key = `file:${context.path}`;
    const response = await cache.load(key, () => store(served, https), version);
    knownUrls.remember(req, key);
    await sendCached(req, res, response, context);
  };
}

/** A file may be deleted after the start: then its address is as good as unknown. */
function ifGone(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
}

/** What `send` found wrong with the request, in our own words. */
function toFileError(error: unknown, size: number): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new HttpError('NOT_FOUND', { cause: error });
  if (status === 412) return new HttpError('PRECONDITION_FAILED', { cause: error });
  if (status !== 416) return error;
  return new HttpError('RANGE_NOT_SATISFIABLE', { cause: error, headers: { 'Content-Range': `bytes */${size}` } });
}

async function store(served: ServedFile, https: boolean): Promise<CachedResponse> {
  const [body, { mtimeMs }, brotli] = await Promise.all([
    readFile(served.file),
    stat(served.file),
    served.brotli === undefined ? undefined : readFile(served.brotli),
  ]);
  const headers = fileHeaders(mediaType(served.file), served.cacheControl, https);
  return new CachedResponse({
    status: 200,
    route: served.route,
    headers,
    body,
    lastModified: mtimeMs,
    ...(brotli && { brotli }),
  });
}
