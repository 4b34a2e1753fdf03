import type { ServerResponse } from 'node:http';
import { Refusal } from '../../errors.ts';

/** A signal that ends a call when its time is over or its client has gone. */
export function clientOrTime(res: ServerResponse, limitMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Refusal('BACKEND_TOO_SLOW')), limitMs);
  const gone = () => controller.abort(new Refusal('BAD_REQUEST'));
  res.once('close', gone);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      res.off('close', gone);
    },
  };
}
