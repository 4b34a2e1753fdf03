import type { Request, Response } from 'express';
import { HttpError } from './errors.ts';
import { rawBodyReader } from './raw-body.ts';

interface BodyLimits {
  maxBytes: number;
  /** Nesting levels of lists and objects. */
  maxDepth: number;
}

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A JSON body: its value for code that inspects it, its bytes for code that forwards it. */
export interface JsonBody {
  bytes: Buffer;
  value: unknown;
}

/**
 * Creates a reader that returns a checked JSON body, or undefined when there is none. `signal` ends the wait for a slow
 * sender. The reader throws an HttpError for anything that is not JSON within the limits.
 */
export function jsonBodyReader({ maxBytes, maxDepth }: BodyLimits) {
  const readBytes = rawBodyReader(maxBytes);

  return async (req: Request, res: Response, signal?: AbortSignal): Promise<JsonBody | undefined> => {
    const type = req.headers['content-type'];
    // A form or plain text from another site is sent without a preflight; only JSON forces one.
    if (type !== undefined && !jsonType.test(type)) throw new HttpError('NOT_JSON');
    const bytes = await readBytes(req, res, signal);
    if (bytes.length === 0) return undefined;
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

/** Stops at the limit, so no nesting can exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
