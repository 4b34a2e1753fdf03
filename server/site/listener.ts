import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { logWhenDone } from '../http/access-log.ts';
import { checkRequest } from '../http/check-request.ts';
import { ClientAddresses, limitKey } from '../http/client-address.ts';
import { checkConnection } from '../http/connection-limit.ts';
import { HttpError, toAppError } from '../http/errors.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { type RequestContext, setContext } from '../http/request-context.ts';
import { nextRequestId } from '../http/request-id.ts';
import { readTarget } from '../http/request-target.ts';
import { minimalHeaders, sendError } from '../http/send-error.ts';
import { TimeSlices } from '../http/time-slices.ts';
import { isHealthCheck } from './health.ts';
import type { KnownUrls } from './response-cache/known-urls.ts';
import { sendCached } from './response-cache/send-cached.ts';
import type { SiteServices } from './services.ts';

/** Short, since each newcomer waits for a turn of the event loop. */
const slice = { sliceMs: 0.2, waiting: 8_192, newcomersMs: 120 };
const noQuery = new URLSearchParams();

/**
 * Creates what every request meets first: its turn, its log line, the checks, and the stored response if there is one;
 * all other requests continue to `app`.
 */
export function createListener(services: SiteServices, knownUrls: KnownUrls, app: RequestListener): RequestListener {
  const { config, log, draining } = services;
  const early = minimalHeaders(config.publicUrl.startsWith('https:'));
  const addresses = new ClientAddresses(config.trustedProxies);
  const rates = new RateLimit(config.maxRequestsPerMinute);
  const slices = new TimeSlices(slice);
  // Separate, so a balancer gets its answer however many requests are waiting.
  const healthSlices = new TimeSlices(slice);
  const known = new WeakSet<Socket>();

  /** Rejects what must not be answered, before anything is looked up. */
  function check(req: IncomingMessage, { address, startedAt }: RequestContext): void {
    checkRequest(req);
    if (isHealthCheck(req.url)) return;
    checkConnection(req);
    const key = limitKey(address);
    const wait = key === undefined ? 0 : rates.take(key, startedAt);
    if (wait > 0) throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
  }

  function refuse(req: IncomingMessage, res: ServerResponse, error: unknown, id: string): void {
    for (const [name, value] of Object.entries(early)) res.setHeader(name, value);
    res.setHeader('X-Request-Id', id);
    sendError(res, toAppError(error), id, req.method === 'POST' ? 'json' : 'page');
  }

  function answer(req: IncomingMessage, res: ServerResponse, context: RequestContext): void {
    // Disconnected while it waited for its turn.
    if (res.destroyed) return;
    if (draining?.()) res.shouldKeepAlive = false;
    try {
      check(req, context);
      const stored = knownUrls.find(req);
      if (stored) {
        context.route = stored.route;
        // Compression failed: the connection is of no further use.
        sendCached(req, res, stored, context)?.catch(() => res.destroy());
        return;
      }
      Object.assign(context, readTarget(req.url ?? ''));
    } catch (error) {
      refuse(req, res, error, context.id);
      return;
    }
    res.setHeader('X-Request-Id', context.id);
    setContext(req, context);
    app(req, res);
  }

  return (req, res) => {
    const context: RequestContext = {
      id: nextRequestId(),
      startedAt: performance.now(),
      address: addresses.of(req),
      route: 'refused',
      path: '',
      search: '',
      query: noQuery,
    };
    logWhenDone(log, req, res, context);
    if (!known.has(req.socket)) {
      known.add(req.socket);
      slices.newcomer();
    }
    const turn = isHealthCheck(req.url) ? healthSlices : slices;
    if (!turn.run(() => answer(req, res, context))) refuse(req, res, new HttpError('OVERLOADED'), context.id);
  };
}
