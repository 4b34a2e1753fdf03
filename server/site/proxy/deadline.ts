import type { ServerResponse } from 'node:http';
import { HttpError } from '../../http/errors.ts';
import { BackendError } from './errors.ts';

/**
 * A signal that ends a call when its time is up, its client has disconnected, or the server is about to stop. `clear`
 * detaches it from the process's signal, which would otherwise keep it forever.
 */
export function clientOrTime(
  res: ServerResponse,
  limitMs: number,
  lastCall: AbortSignal | undefined,
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new BackendError('BACKEND_TOO_SLOW')), limitMs);
  const gone = () => controller.abort(new HttpError('BAD_REQUEST'));
  const stopping = () => controller.abort(lastCall?.reason);
  res.once('close', gone);
  lastCall?.addEventListener('abort', stopping, { once: true });
  // A call that arrived after the last call.
  if (lastCall?.aborted) stopping();
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      res.off('close', gone);
      lastCall?.removeEventListener('abort', stopping);
    },
  };
}
