import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { contextOf } from '../../http/request-context.ts';

const passedOn = [
  'authorization',
  'cookie',
  'accept-language',
  'content-type',
  'user-agent',
  'idempotency-key',
] as const;
const passedBack = ['set-cookie', 'retry-after'] as const;

/** Headers of the upstream request, built from scratch; forwarding headers count only from trusted proxies. */
export function upstreamHeaders(req: Request, requestId: string, bodyLength: number): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-length': String(bodyLength),
    'x-request-id': requestId,
    'x-forwarded-for': contextOf(req).address,
  };
  for (const name of passedOn) {
    const value = req.headers[name];
    if (value !== undefined && !(name === 'content-type' && bodyLength === 0)) headers[name] = String(value);
  }
  return headers;
}

/** Upstream headers that are passed to the browser. */
export function answerHeaders(upstream: IncomingHttpHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const name of passedBack) {
    const value = upstream[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
