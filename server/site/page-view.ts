import type { Request, Response } from 'express';
import { z } from 'zod';
import { CountedWarning } from '../http/counted-warning.ts';
import { HttpError } from '../http/errors.ts';
import { jsonBodyReader } from '../http/json-body.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { contextOf } from '../http/request-context.ts';
import type { Log } from '../log.ts';

const readBody = jsonBodyReader({ maxBytes: 4096, maxDepth: 2 });
/** For one address. */
const mostPerMinute = 60;
/** What the log may tell of an address besides its path: names of campaigns. Whatever else stands in a query may be a secret. */
const loggedNames: ReadonlySet<string> = new Set([
  'bd_vid',
  'kw',
  'utm_campaign',
  'utm_content',
  'utm_medium',
  'utm_source',
  'utm_term',
]);

const text = (max: number) => z.string().max(max).default('');

const record = z.strictObject({
  src: text(1024),
  kw: text(256),
  vbId: text(256),
  clientId: z
    .string()
    .regex(/^[0-9a-f]{0,128}$/i)
    .default(''),
  uid: text(256),
  uri: z.string().max(2048).regex(/^\//),
});

/** Writes page views to the log, for sites without a console backend. */
export function pageViewRecorder(log: Log): (req: Request, res: Response) => Promise<void> {
  const limit = new RateLimit(mostPerMinute);
  const dropped = new CountedWarning(log, 'page views were dropped');

  return async (req, res) => {
    const { address, startedAt, id } = contextOf(req);
    const wait = limit.take(address, startedAt);
    if (wait > 0) {
      dropped.count();
      throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
    }
    const body = await readBody(req, res);
    const parsed = record.safeParse(body?.value);
    if (!parsed.success) throw new HttpError('INVALID_FIELDS', { fields: fieldsOf(parsed.error) });
    const { uid: _sentEmpty, src, uri, ...view } = parsed.data;
    log.info({ id, src: withoutQuery(src), ...view, uri: loggedUri(uri) }, 'page view');
    res.statusCode = 204;
    res.setHeader('Cache-Control', 'no-store');
    res.end();
  };
}

/** An address with no more of its query than the names above, and without its fragment. */
export function loggedUri(uri: string): string {
  const [path = '', search] = uri.replace(/#.*$/s, '').split(/\?(.*)/s);
  const query = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => loggedNames.has(name)));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Where a visitor came from: an address without credentials, query and fragment, or nothing if it is none. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : '';
}

function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(
    error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, 10).map((key) => [key.slice(0, 64), 'Unknown field.'])
        : [[issue.path.join('.') || 'body', issue.message]],
    ),
  );
}
