import type { RequestHandler } from 'express';
import { isClientGone } from '../../http/client-gone.ts';
import { HttpError } from '../../http/errors.ts';
import { contextOf } from '../../http/request-context.ts';
import type { ConsoleServices } from '../services.ts';
import { isSigned } from '../signed-address.ts';
import { listPackages } from './packages.ts';

/** `GET /downloads/<file>`, at a signed address; an interrupted download resumes with a range. */
export function serveDownload(services: ConsoleServices): RequestHandler {
  const { secretKey, now } = services;
  return async (req, res, next) => {
    const context = contextOf(req);
    const [, file] = /^\/downloads\/([\w.-]{1,200})$/.exec(context.path) ?? [];
    if (file === undefined) return next();
    context.route = '/downloads/*';
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } });
    }
    if (!isSigned(secretKey, context.path, context.query, now())) throw new HttpError('NOT_FOUND');
    const found = (await listPackages(services)).find((one) => one.file === file);
    if (!found) throw new HttpError('NOT_FOUND');
    res.sendFile(
      found.path,
      {
        cacheControl: false,
        dotfiles: 'allow',
        headers: {
          'Cache-Control': 'private, no-store',
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename="${file}"`,
        },
      },
      (error) => {
        if (error && !res.headersSent && !isClientGone(error)) next(error);
      },
    );
  };
}
