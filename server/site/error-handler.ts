import type { ErrorRequestHandler, Request, Response } from 'express';
import type { AppError } from '../errors.ts';
import { comesWithKey, keyRefusal } from '../http/api-key.ts';
import { toAppError } from '../http/errors.ts';
import { contextOf } from '../http/request-context.ts';
import { sendError, sendText } from '../http/send-error.ts';
import { cspReportPath } from './csp-report.ts';
import { callAt } from './proxy/table.ts';
import type { SiteServices } from './services.ts';

const isJobCall = /^\/cloudcanal\/console\/api\/v1\/(?:openapi|inner)\//;

/** Turns any error into a response: the envelope for calls, a page for everything else. */
export function errorHandler(services: SiteServices): ErrorRequestHandler {
  return async (error: unknown, req, res, _next) => {
    const { id, path, route } = contextOf(req);
    const appError = toAppError(error);
    if (appError.status >= 500 && appError.code !== 'OVERLOADED') {
      services.log.error({ id, route, code: appError.code, err: appError.cause ?? error }, appError.message);
    }
    if (res.headersSent || res.destroyed) return res.destroy();
    if (isOfCall(req, path, appError)) return sendCallError(req, res, appError);
    if (path === cspReportPath || path === '/search.json') return sendError(res, appError, id, 'json');
    if (appError.code === 'INTERNAL') return crash(services, res, appError, id);
    sendError(res, appError, id, 'page');
  };
}

function isOfCall({ method }: Request, path: string, { status }: AppError): boolean {
  return callAt(path) !== 'none' && (method === 'POST' || status === 405);
}

/** Clients with an API key read its envelope alone, whoever answers. */
function sendCallError(req: Request, res: Response, error: AppError): void {
  const { id, path, query } = contextOf(req);
  const envelope = isJobCall.test(path) && comesWithKey(req, query) ? keyRefusal(error, id) : error.toEnvelope(id);
  sendText(res, error.status, 'application/json; charset=utf-8', JSON.stringify(envelope), error.headers);
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
