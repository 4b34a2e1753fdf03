import type { RequestHandler } from 'express';
import { z } from 'zod';
import { dayMs } from '../../client/contract/dates.ts';
import { AppError, type ErrorEntry } from '../errors.ts';
import { limitKey } from '../http/client-address.ts';
import { HttpError } from '../http/errors.ts';
import { parseJson } from '../http/json-body.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { rawBodyReader } from '../http/raw-body.ts';
import { contextOf } from '../http/request-context.ts';
import type { Log } from '../log.ts';

/** Where browsers report what the policy blocked; the policy names this address. */
export const cspReportPath = '/csp-report';

const readBody = rawBodyReader(8192);
const reportType = /^application\/(?:csp-report|reports\+json)\s*(?:;|$)/i;
/** Per network. */
const mostPerMinute = 20;
/** Kinds of report that are logged per day: anyone may send reports, and the log must stay readable. */
const mostKinds = 200;

const reportErrors = {
  NOT_A_REPORT: { status: 400, msg: 'The body is not a report about the content security policy.' },
  REPORT_TYPE: { status: 415, msg: 'A report must be sent as application/csp-report or application/reports+json.' },
} as const satisfies Record<string, ErrorEntry>;

class ReportError extends AppError {
  constructor(code: keyof typeof reportErrors, cause?: unknown) {
    super(code, reportErrors[code], { cause });
  }
}

interface Violation {
  directive: string;
  /** What was blocked: an origin, a scheme or a word such as `inline`. */
  origin: string;
}

/** A directive's name, which older browsers send with its values. */
const directive = z
  .string()
  .transform((text) => text.split(' ', 1)[0] ?? '')
  .pipe(
    z
      .string()
      .regex(/^[a-z]+(?:-[a-z]+)*$/)
      .max(40),
  );

/** The body that `report-uri` sends. */
const single = z
  .object({
    'csp-report': z.object({
      'effective-directive': directive.optional(),
      'violated-directive': directive.optional(),
      'blocked-uri': z.string().optional(),
    }),
  })
  .transform(({ 'csp-report': report }, context): Violation[] => {
    const name = report['effective-directive'] ?? report['violated-directive'];
    if (name !== undefined) return [{ directive: name, origin: originOf(report['blocked-uri']) }];
    context.addIssue({ code: 'custom', message: 'names no directive' });
    return z.NEVER;
  });

const violation = z
  .object({ effectiveDirective: directive, blockedURL: z.string().nullish() })
  .transform((body): Violation => ({ directive: body.effectiveDirective, origin: originOf(body.blockedURL) }));

/** One report sent by `report-to`; reports of other types do not concern us. */
const report = z.union([
  z.object({ type: z.literal('csp-violation'), body: violation }).transform(({ body }) => [body]),
  z.object({ type: z.string().refine((type) => type !== 'csp-violation') }).transform((): Violation[] => []),
]);

const reports = z.union([single, z.array(report).transform((list) => list.flat())]);

/** An address without path and query, which may contain the visitor's secrets. */
function originOf(blocked: string | null | undefined): string {
  const url = URL.parse(blocked ?? '');
  if (url) return (url.host ? `${url.protocol}//${url.host}` : url.protocol).slice(0, 260);
  return blocked && /^[a-z-]{1,40}$/.test(blocked) ? blocked : 'unknown';
}

/** Accepts policy reports and logs each kind, a directive and an origin, once a day. */
export function cspReports(log: Log): RequestHandler {
  const limit = new RateLimit(mostPerMinute);
  const kinds = new Set<string>();
  let since = performance.now();

  function tell(id: string, { directive, origin }: Violation) {
    if (performance.now() - since >= dayMs) {
      kinds.clear();
      since = performance.now();
    }
    const kind = `${directive} ${origin}`;
    if (kinds.has(kind) || kinds.size > mostKinds) return;
    kinds.add(kind);
    if (kinds.size > mostKinds) log.warn({ kinds: mostKinds }, 'further kinds of policy reports are not logged today');
    else log.warn({ id, directive, origin }, 'the policy blocked something on a page');
  }

  return async (req, res, next) => {
    const context = contextOf(req);
    if (context.path !== cspReportPath) return next();
    context.route = cspReportPath;
    if (req.method !== 'POST') throw new HttpError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } });
    const key = limitKey(context.address);
    const wait = key === undefined ? 0 : limit.take(key, context.startedAt);
    if (wait > 0) throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
    if (!reportType.test(req.headers['content-type'] ?? '')) throw new ReportError('REPORT_TYPE');
    const parsed = reports.safeParse(parseJson(await readBody(req, res)));
    if (!parsed.success) throw new ReportError('NOT_A_REPORT', parsed.error);
    for (const found of parsed.data) tell(context.id, found);
    res.statusCode = 204;
    res.setHeader('Cache-Control', 'no-store');
    res.end();
  };
}
