import type { Request, Response } from 'express';
import { ConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { jsonBodyReader } from '../../http/json-body.ts';
import { contextOf } from '../../http/request-context.ts';
import { sendText } from '../../http/send-error.ts';
import type { SiteLimits } from '../limits.ts';
import { clientOrTime } from './deadline.ts';
import { answerHeaders, upstreamHeaders } from './headers.ts';
import { connectUpstream, type UpstreamAnswer } from './upstream.ts';
import { validateResponse } from './validate-response.ts';

const readBody = jsonBodyReader({ maxBytes: 32 * 1024, maxDepth: 10 });

type Forward = (req: Request, res: Response) => Promise<void>;

/** Sends a call to the console backend and its answer to the browser. */
export function forwarder(
  { apiBaseUrl }: { apiBaseUrl: string },
  limits: SiteLimits,
  lastCall: AbortSignal | undefined,
): Forward {
  const upstream = connectUpstream(apiBaseUrl);
  const limit = new ConcurrencyLimit({ running: limits.callsRunning, waiting: 0 });

  return async (req, res) => {
    const { path, id } = contextOf(req);
    const deadline = clientOrTime(res, limits.callMs, lastCall);
    try {
      const body = (await readBody(req, res, deadline.signal))?.bytes;
      const headers = upstreamHeaders(req, id, body?.length ?? 0);
      const answer = await limit.run(() => upstream({ path, headers, body, signal: deadline.signal }));
      passOn(res, validateResponse(answer));
    } finally {
      deadline.clear();
    }
  };
}

function passOn(res: Response, { status, headers, body }: UpstreamAnswer): void {
  if (body.length > 0) {
    sendText(res, status, 'application/json; charset=utf-8', body.toString(), answerHeaders(headers));
    return;
  }
  res.status(status).set(answerHeaders(headers)).set('Cache-Control', 'no-store').end();
}
