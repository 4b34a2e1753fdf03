import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { RequestHandler, Response } from 'express';
import { isOpenAt, isStillReal, openFlags, placeNow, type RealPlace } from '../content/confine.ts';
import { leftOutFault, warnOf } from '../content/fault.ts';
import { isClientGone } from '../http/client-gone.ts';
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

/** What the content has found beside its markdown. */
const contentRoutes = new Set(['/_content/*', 'content file']);
/** Larger files are read from disk each time, in ranges when requested. */
const maxStored = 1024 * 1024;

/** Serves built files, static files and pictures beside the markdown. */
export function files(services: SiteServices, cache: ResponseCache, knownUrls: KnownUrls): RequestHandler {
  const table = new FileTable(services.clientDir, services.staticDirs);
  const https = services.config.publicUrl.startsWith('https:');
  const openFile = fileOpener(services);

  return async (req, res, next) => {
    const context = contextOf(req);
    const { version } = cache;
    const served = table.find(context.path, services.content().files);
    const opened = served && (await openFile(served));
    if (!opened) return next();
    const { file, stats } = opened;
    try {
      context.route = served.route;
      const { size } = stats;
      if (size > maxStored) {
        const error = await sendLarge(res, served, file, https);
        if (error && !res.headersSent && !res.destroyed && !isClientGone(error)) next(toFileError(error, size));
        return;
      }
      const key = `file:${context.path}`;
      const response = await cache.load(key, () => store(served, opened, https), version);
      knownUrls.remember(req, key);
      await sendCached(req, res, response, context);
    } finally {
      await file.close();
    }
  };
}

/** An open file, and its state at that moment. */
interface OpenFile {
  file: FileHandle;
  stats: Stats;
}

/**
 * Opens files that were found at the start, if the site may still serve them; each one that it may not is reported
 * once.
 */
function fileOpener({ config, log }: SiteServices): (served: ServedFile) => Promise<OpenFile | undefined> {
  const told = new Set<string>();

  function tell(path: string, problem: string): void {
    if (told.has(path)) return;
    told.add(path);
    warnOf(log, leftOutFault(relative(config.contentDir, path).split(sep).join('/'), problem));
  }

  return async (served) => {
    if (!(await lstat(served.file).catch(ifGone))) return undefined;
    const place = placeOf(served, config.contentDir);
    if ('problem' in place) {
      tell(served.file, place.problem);
      return undefined;
    }
    const file = await open(place.path, openFlags).catch(ifGone);
    if (!file) return undefined;
    const stats = await file.stat();
    if (stats.isFile() && isOpenAt(place.path, stats)) return { file, stats };
    await file.close();
    return undefined;
  };
}

/**
 * A content file may have become a link by now, just as one found at the start may be a link; other files are never
 * links.
 */
function placeOf({ file, route }: ServedFile, contentDir: string): RealPlace {
  if (contentRoutes.has(route)) return placeNow(contentDir, file);
  return isStillReal(file) ? { path: file } : { problem: 'is a link, and static/ serves only files' };
}

/** A file may be deleted after the start: then its address counts as unknown. */
function ifGone(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
}

/** Resolves when it is sent, or with the error. */
function sendLarge(res: Response, served: ServedFile, file: FileHandle, https: boolean): Promise<unknown> {
  for (const name of res.getHeaderNames()) if (name !== 'x-request-id') res.removeHeader(name);
  const headers = fileHeaders(mediaType(served.file), served.cacheControl, https);
  const options = {
    headers,
    cacheControl: false,
    dotfiles: 'allow' as const,
    // Express passes its options to fs.createReadStream: the opened file is sent, whatever is at its path by then. If
    // the client has left, it is already closed and would throw: the path is opened instead, and nothing is sent.
    get fd() {
      return file.fd < 0 ? undefined : file;
    },
    flags: openFlags,
  };
  return new Promise((resolve) => res.sendFile(served.file, options, resolve));
}

/** `send`'s errors about the request, in our own words. */
function toFileError(error: unknown, size: number): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new HttpError('NOT_FOUND', { cause: error });
  if (status === 412) return new HttpError('PRECONDITION_FAILED', { cause: error });
  if (status !== 416) return error;
  return new HttpError('RANGE_NOT_SATISFIABLE', { cause: error, headers: { 'Content-Range': `bytes */${size}` } });
}

async function store(served: ServedFile, { file, stats }: OpenFile, https: boolean): Promise<CachedResponse> {
  const [body, brotli] = await Promise.all([
    file.readFile(),
    served.brotli === undefined ? undefined : readFile(served.brotli),
  ]);
  const headers = fileHeaders(mediaType(served.file), served.cacheControl, https);
  return new CachedResponse({
    status: 200,
    route: served.route,
    headers,
    body,
    lastModified: stats.mtimeMs,
    ...(brotli && { brotli }),
  });
}
