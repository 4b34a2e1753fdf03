import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response } from 'express';
import { bodyTooLarge, HttpError } from './errors.ts';

/**
 * Creates a reader for an uncompressed body of any type; no body gives an empty buffer. `signal` ends the wait for a
 * slow sender. The reader throws an HttpError for a body that is too large, too slow or cut off.
 */
export function rawBodyReader(maxBytes: number) {
  const readRaw = express.raw({ type: () => true, limit: maxBytes, inflate: false });

  return async (req: Request, res: Response, signal?: AbortSignal): Promise<Buffer> => {
    // Reported at once; for a body of unknown length, Express reads the rest first.
    if (lengthOf(req) > maxBytes) throw bodyTooLarge(maxBytes);
    await untilRead((next) => readRaw(req, res, next), maxBytes, signal);
    const bytes: unknown = req.body;
    return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  };
}

function lengthOf(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

function untilRead(
  read: (next: (error?: unknown) => void) => void,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new HttpError('BODY_TOO_SLOW'));
    signal?.addEventListener('abort', late, { once: true });
    read((error) => {
      signal?.removeEventListener('abort', late);
      if (error === undefined) resolve();
      else reject(toHttpError(error, maxBytes));
    });
  });
}

/** Express's body errors, in our own words. */
function toHttpError(cause: unknown, maxBytes: number): HttpError {
  const status = cause instanceof Error && 'status' in cause ? cause.status : undefined;
  if (status === 413) return bodyTooLarge(maxBytes, cause);
  if (status === 415) return new HttpError('COMPRESSED_BODY', { cause });
  return new HttpError('BAD_REQUEST', { cause });
}
