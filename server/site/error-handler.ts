import type { ErrorRequestHandler, Response } from 'express';
import type { AppError } from '../errors.ts';
import { toAppError } from '../http/errors.ts';
import { contextOf } from '../http/request-context.ts';
import { sendError, sendText } from '../http/send-error.ts';
import { cspReportPath } from './csp-report.ts';
import { callAt } from './proxy/table.ts';
import type { SiteServices } from './services.ts';

/** Turns any error into a response: the envelope for calls, a page for everything else. */
export function errorHandler(services: SiteServices): ErrorRequestHandler {
  return async (error: unknown, req, res, _next) => {
    const { id, path, route } = contextOf(req);
    const appError = toAppError(error);
    if (appError.status >= 500 && appError.code !== 'OVERLOADED') {
      services.log.error({ id, route, code: appError.code, err: appError.cause ?? error }, appError.message);
    }
    if (res.headersSent || res.destroyed) return res.destroy();
    const isCall = callAt(path) !== 'none' && (req.method === 'POST' || appError.status === 405);
    if (isCall || path === cspReportPath || path === '/search.json') return sendError(res, appError, id, 'json');
    if (appError.code === 'INTERNAL') return crash(services, res, appError, id);
    sendError(res, appError, id, 'page');
  };
}

/** 'This page crashed.', or a plain page when that crashes as well. */
async function crash(
  { renderCrash, site, log }: SiteServices,
  res: Response,
  appError: AppError,
  id: string,
): Promise<void> {
  const crashed = await renderCrash(site, id).catch((err: unknown) => {
    log.error({ id, err }, 'the page that reports a crash crashed as well');
    return undefined;
  });
  if (crashed) sendText(res, 500, 'text/html; charset=utf-8', crashed.html);
  else sendError(res, appError, id, 'page');
}
