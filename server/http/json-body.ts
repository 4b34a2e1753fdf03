import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';

interface BodyLimits {
  maxBytes: number;
  maxDepth: number;
}

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a JSON body: its bytes, checked, or undefined when there is none. `signal` ends the wait for a slow sender. */
export async function readJsonBody(
  req: IncomingMessage,
  limits: BodyLimits,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const type = req.headers['content-type'];
  // A form or plain text from another site comes without a preflight; only JSON forces one.
  if (type !== undefined && !jsonType.test(type)) throw new HttpError('NOT_JSON');
  if (req.headers['content-encoding'] !== undefined) throw new HttpError('NOT_JSON');
  const body = await readBytes(req, limits.maxBytes, signal);
  if (body.length === 0) return undefined;
  if (type === undefined) throw new HttpError('NOT_JSON');
  if (depthOf(body.toString('latin1')) > limits.maxDepth) throw new HttpError('TOO_DEEP');
  parseJson(body);
  return body;
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

/** Deepest nesting of brackets outside strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[{]|[\]}]/gs)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']') depth -= 1;
  }
  return deepest;
}

/** Reads a body of at most so many bytes; `signal` ends the wait for a slow sender. */
export function readBytes(req: IncomingMessage, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw new HttpError('BODY_TOO_LARGE');
    signal?.addEventListener('abort', () => reject(new HttpError('BODY_TOO_SLOW')), { once: true });
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new HttpError('BODY_TOO_LARGE')); // the rest is read and dropped, so that the answer arrives
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', (cause) => reject(new HttpError('BAD_REQUEST', { cause })));
    req.once('close', () => reject(new HttpError('BAD_REQUEST')));
  });
}
