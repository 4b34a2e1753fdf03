import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { AppError } from '../../errors.ts';
import { BackendError } from './errors.ts';

/** A complete upstream answer. */
export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface UpstreamCall {
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  signal: AbortSignal;
}

export type Upstream = (call: UpstreamCall) => Promise<UpstreamAnswer>;

const maxAnswer = 4 * 1024 * 1024;
const maxSockets = 128;

/**
 * A client for one upstream: kept connections, no retry, no redirect followed. It uses node:http's client, since fetch
 * hides incomplete answers and applies its own header rules.
 */
export function connectUpstream(baseUrl: string): Upstream {
  const base = new URL(baseUrl);
  const client = base.protocol === 'https:' ? https : http;
  // Shorter than the 5 s after which most servers close, so a call is not sent into a closing connection.
  const agent = new client.Agent({ keepAlive: true, maxSockets, maxFreeSockets: 16, timeout: 4000 });
  const prefix = base.pathname.replace(/\/+$/, '');

  return ({ path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const options: RequestOptions = {
        agent,
        method: 'POST',
        path: prefix + path,
        headers,
        signal,
        maxHeaderSize: 16_384,
      };
      const request = client.request(base, options);
      request.once('error', (cause) => reject(unreachable(cause, signal)));
      request.once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new BackendError('BACKEND_BAD_ANSWER'));
      });
      request.once('response', (response) => readAnswer(response, signal).then(resolve, reject));
      request.end(body);
    });
}

async function readAnswer(response: IncomingMessage, signal: AbortSignal): Promise<UpstreamAnswer> {
  const { bytes, isWhole } = await readBeginning(response, signal);
  if (!isWhole) {
    response.destroy();
    throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error('The answer is larger than 4 MB.') });
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: bytes };
}

/** Reads a whole answer, or the first 4 MB of a larger one, which can then be read further. */
export async function readBeginning(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxAnswer) return { bytes: Buffer.concat(chunks), isWhole: false };
    }
  } catch (cause) {
    response.destroy();
    throw unreachable(cause, signal);
  }
  if (!response.complete) throw new BackendError('BACKEND_BAD_ANSWER', { cause: new Error('The answer ended early.') });
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

/** Why an upstream did not answer: what ended the wait, or what is wrong with the connection. */
export function unreachable(cause: unknown, signal: AbortSignal): AppError {
  if (signal.aborted)
    return signal.reason instanceof AppError ? signal.reason : new BackendError('BACKEND_UNREACHABLE', { cause });
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new BackendError(code.startsWith('HPE_') ? 'BACKEND_BAD_ANSWER' : 'BACKEND_UNREACHABLE', { cause });
}
