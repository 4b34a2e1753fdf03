import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response } from 'express';
import { HttpError } from './errors.ts';

interface BodyLimits {
  maxBytes: number;
  /** Levels of lists and objects. */
  maxDepth: number;
}

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A JSON body: its value for whoever looks into it, its bytes for whoever passes it on. */
export interface JsonBody {
  bytes: Buffer;
  value: unknown;
}

/**
 * Makes what reads a JSON body, checked, or undefined when there is none. `signal` ends the wait for a slow sender.
 * The reader throws a HttpError for whatever is not JSON within the limits.
 */
export function jsonBodyReader({ maxBytes, maxDepth }: BodyLimits) {
  const readRaw = express.raw({ type: () => true, limit: maxBytes, inflate: false });

  return async (req: Request, res: Response, signal?: AbortSignal): Promise<JsonBody | undefined> => {
    const type = req.headers['content-type'];
    // A form or plain text from another site comes without a preflight; only JSON forces one.
    if (type !== undefined && !jsonType.test(type)) throw new HttpError('NOT_JSON');
    if (req.headers['content-encoding'] !== undefined) throw new HttpError('NOT_JSON');
    // Told at once; of a body of unknown length, express reads the rest first.
    if (lengthOf(req) > maxBytes) throw new HttpError('BODY_TOO_LARGE');
    await untilRead((next) => readRaw(req, res, next), signal);
    const bytes: unknown = req.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
    if (type === undefined) throw new HttpError('NOT_JSON');
    const value = parseJson(bytes);
    if (isDeeperThan(value, maxDepth)) throw new HttpError('TOO_DEEP');
    return { bytes, value };
  };
}

/** Parses bytes as JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return value;
  } catch (cause) {
    throw new HttpError('BAD_JSON', { cause });
  }
}

function lengthOf(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

function untilRead(read: (next: (error?: unknown) => void) => void, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new HttpError('BODY_TOO_SLOW'));
    signal?.addEventListener('abort', late, { once: true });
    read((error) => {
      signal?.removeEventListener('abort', late);
      if (error === undefined) resolve();
      else reject(toHttpError(error));
    });
  });
}

/** What express found wrong with the body, in our own words. */
function toHttpError(cause: unknown): HttpError {
  const tooLarge = cause instanceof Error && 'status' in cause && cause.status === 413;
  return new HttpError(tooLarge ? 'BODY_TOO_LARGE' : 'BAD_REQUEST', { cause });
}

/** Stops at the limit, so that no nesting exhausts the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
