import type { ServerResponse } from 'node:http';
import type { AppError } from '../errors.ts';
import { errorPage } from './error-page.ts';
import { transportSecurity } from './security-headers.ts';

/** Headers of every answer that is sent before the page headers are set. */
export function minimalHeaders(https: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    ...(https && { 'Strict-Transport-Security': transportSecurity }),
  };
}

/** Answers with an error: the envelope for calls, a small page for people. */
export function sendError(res: ServerResponse, error: AppError, requestId: string, as: 'json' | 'page'): void {
  const text = as === 'json' ? JSON.stringify(error.toEnvelope(requestId)) : errorPage(error, requestId);
  sendText(
    res,
    error.status,
    as === 'json' ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    text,
    error.headers,
  );
}

/** Answers with a text that must not be cached. */
export function sendText(
  res: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}
