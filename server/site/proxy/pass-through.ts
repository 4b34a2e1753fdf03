import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { jobCalls, openApi } from '../../../client/contract/jobs/calls.ts';
import { ConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { rawBodyReader } from '../../http/raw-body.ts';
import { contextOf } from '../../http/request-context.ts';
import { siteLimits } from '../limits.ts';
import type { SiteServices } from '../services.ts';
import { clientOrTime } from './deadline.ts';
import { passCall } from './pass-call.ts';
import { passHead } from './pass-head.ts';
import { unreachable } from './upstream.ts';

/** What is forwarded to the backend unchanged, besides the calls of `table.ts`: with the headers that each needs. */
interface Row {
  method: 'GET' | 'POST';
  pattern: RegExp;
  /** Pattern for the log. */
  route: string;
  /** Whether the query is forwarded; it contains an address's signature. */
  query: boolean;
  /** Media type of a body, for a POST. */
  type?: RegExp;
  headers: readonly string[];
  /** Bytes of a body, for a POST; 256 kB without it. */
  mostBytes?: number;
  /** A call: its answer is JSON, and must arrive within a call's time limit. */
  call?: true;
  /** An endless answer: such answers do not count among the others. */
  stream?: true;
}

const file = {
  method: 'GET',
  query: true,
  headers: ['range', 'if-range', 'if-none-match', 'if-modified-since'],
} as const;

const spoken = ['authorization', 'content-type', 'user-agent'] as const;

const rows: readonly Row[] = [
  { ...file, pattern: /^\/downloads\/[\w.-]{1,200}$/, route: '/downloads/*' },
  { ...file, pattern: /^\/invoices\/[\w-]{1,64}\.pdf$/, route: '/invoices/*.pdf' },
  {
    method: 'POST',
    pattern: /^\/webhooks\/stripe$/,
    route: '/webhooks/stripe',
    query: false,
    type: /^application\/json\b/i,
    headers: ['content-type', 'stripe-signature'],
  },
  {
    method: 'POST',
    pattern: /^\/registerFromMarket$/,
    route: '/registerFromMarket (form)',
    query: false,
    type: /^application\/x-www-form-urlencoded\b/i,
    headers: ['content-type'],
  },
  {
    method: 'POST',
    pattern: /^\/cloudcanal\/console\/api\/v1\/openapi\/[\w/-]{1,120}$/,
    route: `${openApi}/*`,
    query: true,
    headers: spoken,
    mostBytes: 1024 * 1024,
    call: true,
  },
  {
    method: 'POST',
    pattern: /^\/cloudcanal\/console\/api\/v1\/inner\/(?:job|practice|apikey)\/[\w/]{1,80}$/,
    route: 'calls of jobs',
    query: true,
    headers: spoken,
    mostBytes: 1024 * 1024,
    call: true,
  },
  {
    method: 'GET',
    pattern: /^\/cloudcanal\/console\/api\/v1\/inner\/job\/events$/,
    route: jobCalls.jobEvents,
    query: true,
    headers: ['authorization', 'accept', 'user-agent'],
    stream: true,
  },
];

const mostBytes = 256 * 1024;
const mostUnderway = 64;
const mostStreams = 200;

/**
 * Forwards signed files, payment service events, a marketplace's form and job calls to the console backend and back.
 */
export function passThrough({ config, limits = siteLimits, lastCall }: SiteServices): RequestHandler {
  const base = new URL(config.apiBaseUrl);
  const client = base.protocol === 'https:' ? https : http;
  const agent = new client.Agent({ keepAlive: true, maxSockets: mostUnderway + mostStreams, timeout: 4_000 });
  const prefix = base.pathname.replace(/\/+$/, '');
  const underway = new ConcurrencyLimit({ running: mostUnderway, waiting: 0 });
  const streams = new ConcurrencyLimit({ running: mostStreams, waiting: 0 });
  const readers = new Map(rows.map((row) => [row, rawBodyReader(row.mostBytes ?? mostBytes)]));

  function begin(row: Row, req: Request, body: Buffer | undefined, signal: AbortSignal): Promise<IncomingMessage> {
    const { path, search, id, address } = contextOf(req);
    const headers: Record<string, string> = {
      'x-request-id': id,
      'x-forwarded-for': address,
      'content-length': String(body?.length ?? 0),
    };
    for (const name of row.headers) {
      const value = req.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const target = prefix + path + (row.query ? search : '');
    return new Promise((resolve, reject) => {
      const send = (over: http.Agent | false) => {
        const request = client.request(base, { agent: over, method: req.method, path: target, headers, signal });
        let hasBegun = false;
        request.once('response', (answer) => {
          hasBegun = true;
          resolve(answer);
        });
        request.once('error', (cause: NodeJS.ErrnoException) => {
          // The backend closed a kept connection just as it was used, or it died: a POST may have been executed by
          // then.
          const isLost = request.reusedSocket && cause.code === 'ECONNRESET' && !hasBegun && !signal.aborted;
          // Only once: a new connection is never a kept one.
          if (isLost && row.method === 'GET') send(false);
          else reject(unreachable(cause, signal));
        });
        request.end(body);
      };
      send(agent);
    });
  }

  async function pass(row: Row, req: Request, res: Response): Promise<void> {
    const deadline = clientOrTime(res, limits.callMs, lastCall);
    try {
      const body = row.method === 'POST' ? await readers.get(row)?.(req, res, deadline.signal) : undefined;
      const answer = await begin(row, req, body, deadline.signal);
      if (row.call) return await passCall(answer, res, deadline.signal);
      // From here on it takes as long as its reader does.
      deadline.clear();
      await passBytes(row, answer, res);
    } finally {
      deadline.clear();
    }
  }

  async function passBytes(row: Row, answer: IncomingMessage, res: Response): Promise<void> {
    passHead(answer, res);
    // A stream has no end of its own, so it ends with the server. A reader that leaves is not a fault.
    const signal = row.stream ? lastCall : undefined;
    await pipeline(answer, res, { ...(signal && { signal }) }).catch(() => res.destroy());
  }

  return async (req, res, next) => {
    const context = contextOf(req);
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const row = rows.find((one) => one.method === method && one.pattern.test(context.path) && fits(one, req));
    if (!row) return next();
    context.route = row.route;
    await (row.stream ? streams : underway).run(() => pass(row, req, res));
  };
}

function fits({ type }: Row, req: Request): boolean {
  return type === undefined || type.test(req.headers['content-type'] ?? '');
}
