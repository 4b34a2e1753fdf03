import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { findSession } from '../console/account/sessions.ts';
import { consoleCalls } from '../console/api/calls.ts';
import type { CallContext, ConsoleCall } from '../console/api/define-call.ts';
import { serveInvoice } from '../console/billing/serve-invoice.ts';
import { serveDownload } from '../console/downloads/serve-download.ts';
import { ConsoleError, toRefusal } from '../console/errors.ts';
import { registrationForm } from '../console/marketplace/registration-form.ts';
import { stripeWebhook } from '../console/saas/webhook.ts';
import { logWhenDone, type RequestLevel } from '../http/access-log.ts';
import { ClientAddresses } from '../http/client-address.ts';
import { bodyTooLarge, HttpError, toAppError } from '../http/errors.ts';
import { jsonBodyReader } from '../http/json-body.ts';
import { contextOf, type RequestContext, setContext } from '../http/request-context.ts';
import { nextRequestId } from '../http/request-id.ts';
import { readTarget } from '../http/request-target.ts';
import { minimalHeaders, sendError, sendText } from '../http/send-error.ts';
import { serveJobCalls } from '../jobs/api/serve-job-calls.ts';
import { serveJobEvents } from '../jobs/live/serve-job-events.ts';
import type { JobServices } from '../jobs/services.ts';

const mostBytes = 32 * 1024;
const readBody = jsonBodyReader({ maxBytes: mostBytes, maxDepth: 10 });
const json = 'application/json; charset=utf-8';
/** Request ids that the site gives its calls; anything else is replaced by one of ours. */
const requestIdPattern = /^[\w-]{1,64}$/;

/** Accounts, billing and jobs as a function of their services. @param level of each request's log line */
export function createBackend(services: JobServices, level: RequestLevel = 'info'): RequestListener {
  const byPath = new Map(consoleCalls.map((call) => [call.path, call]));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(health(services));
  app.use(stripeWebhook(services));
  app.use(serveInvoice(services));
  app.use(serveDownload(services));
  app.use(registrationForm(services));
  app.use(serveJobEvents(services));
  app.use(serveJobCalls(services));
  app.use(answerCalls(services, byPath));
  app.use(() => {
    throw new HttpError('NOT_FOUND');
  });
  app.use(errorHandler(services));

  // Only the site is trusted to name a visitor's address.
  const addresses = new ClientAddresses(['loopback']);

  return (req: IncomingMessage, res: ServerResponse) => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && requestIdPattern.test(given) ? given : nextRequestId();
    const context = {
      id,
      startedAt: performance.now(),
      address: addresses.of(req),
      route: 'refused',
      path: '',
      search: '',
      query: new URLSearchParams(),
    };
    logWhenDone(services.log, req, res, context, level);
    for (const [name, value] of Object.entries(minimalHeaders(false))) res.setHeader(name, value);
    res.setHeader('X-Request-Id', id);
    try {
      Object.assign(context, readTarget(req.url ?? ''));
    } catch (error) {
      return sendError(res, toAppError(error), id, 'json');
    }
    setContext(req, context);
    app(req, res);
  };
}

/** The backend's `/healthz`: the process and its database answer. */
function health({ database }: JobServices): RequestHandler {
  return async (req, res, next) => {
    const context = contextOf(req);
    if (context.path !== '/healthz') return next();
    context.route = '/healthz';
    await database.run('SELECT 1');
    sendText(res, 200, json, '{"status":"alive"}');
  };
}

/** Every call's way through the backend: path, method, body, session, handler, envelope. */
function answerCalls(services: JobServices, byPath: ReadonlyMap<string, ConsoleCall>): RequestHandler {
  return async (req, res, next) => {
    const context = contextOf(req);
    const call = byPath.get(context.path);
    if (!call) return next();
    context.route = call.path;
    if (req.method !== 'POST') throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } });
    const about = callContext(req, context);
    const value = await readCallBody(req, res, call);
    const session =
      call.auth === 'public' ? undefined : await findSession(services.database, about.token, services.now());
    if (call.auth === 'signed in' && !session) throw new ConsoleError('SIGNED_OUT');
    const data = await call.answer(value, about, session, services);
    if (data === undefined) return void res.status(204).set('Cache-Control', 'no-store').end();
    sendText(res, 200, json, JSON.stringify({ success: true, data }));
  };
}

async function readCallBody(req: Request, res: Response, call: ConsoleCall): Promise<unknown> {
  const body = await readBody(req, res);
  if (!body) return undefined;
  const most = call.mostBytes ?? mostBytes;
  if (body.bytes.length > most) throw bodyTooLarge(most);
  // PostgreSQL text cannot hold this character, and no field of a call needs it.
  if (body.bytes.includes('\\u0000')) throw new HttpError('BAD_JSON');
  return body.value;
}

function callContext(req: Request, { id, address }: RequestContext): CallContext {
  const [, token] = /^Bearer ([^\s]+)$/i.exec(req.headers.authorization ?? '') ?? [];
  const key = req.headers['idempotency-key'];
  return {
    requestId: id,
    address,
    userAgent: req.headers['user-agent'] ?? '',
    token,
    idempotencyKey: typeof key === 'string' ? key.slice(0, 128) : undefined,
  };
}

/** Turns any thrown value into the envelope. */
function errorHandler({ log }: JobServices): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const { id, route } = contextOf(req);
    const error = toRefusal(thrown);
    // A silent store is logged separately, once for all calls.
    if (error.status >= 500 && error.code !== 'OVERLOADED' && error.code !== 'STORE_SILENT') {
      log.error({ id, route, code: error.code, err: error.cause ?? thrown }, error.message);
    }
    if (res.headersSent || res.destroyed) return void res.destroy();
    sendError(res, error, id, 'json');
  };
}
