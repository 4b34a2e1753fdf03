import type { ServerResponse } from 'node:http';
import { HttpError } from '../../http/errors.ts';
import { BackendError } from './errors.ts';

/** A signal that ends a call when its time is over, its client has gone, or the server is about to stop. */
export function clientOrTime(
  res: ServerResponse,
  limitMs: number,
  lastCall: AbortSignal | undefined,
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new BackendError('BACKEND_TOO_SLOW')), limitMs);
  const gone = () => controller.abort(new HttpError('BAD_REQUEST'));
  res.once('close', gone);
  return {
    signal: lastCall ? AbortSignal.any([controller.signal, lastCall]) : controller.signal,
    clear() {
      clearTimeout(timer);
      res.off('close', gone);
    },
  };
}
