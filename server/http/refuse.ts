import type { ServerResponse } from 'node:http';
import { Refusal } from '../errors.ts';
import { errorPage } from './error-page.ts';

/** What every answer carries that is given before the headers of pages are set. */
export const bareHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

/** Answers with a refusal: the envelope for calls, a small page for people. */
export function refuse(res: ServerResponse, refusal: Refusal, requestId: string, as: 'json' | 'page'): void {
  const text = as === 'json' ? JSON.stringify(refusal.toEnvelope(requestId)) : errorPage(refusal, requestId);
  sendText(
    res,
    refusal.status,
    as === 'json' ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    text,
    refusal.headers,
  );
}

/** Answers with a text that nobody may keep. */
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

/** What a thrown value means to the client. */
export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('INTERNAL', { cause: error });
}
