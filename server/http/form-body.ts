import type { IncomingMessage } from 'node:http';
import { readBytes } from './json-body.ts';

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Whether a request brings the fields of a plain form. */
export function isForm(req: IncomingMessage): boolean {
  return formType.test(req.headers['content-type'] ?? '') && req.headers['content-encoding'] === undefined;
}

/** Reads the fields of a plain form. @throws HttpError BODY_TOO_LARGE */
export async function readFormBody(
  req: IncomingMessage,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(req, maxBytes, signal)).toString('utf8'));
}
