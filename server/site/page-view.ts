import type { Request, Response } from 'express';
import { z } from 'zod';
import { clientAddress } from '../http/client-address.ts';
import { HttpError } from '../http/errors.ts';
import { parseJson, readJsonBody } from '../http/json-body.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { contextOf } from '../http/request-context.ts';
import type { Log } from '../log.ts';

const maxBytes = 4096;
const maxDepth = 2;
/** For one address. */
const mostPerMinute = 60;
const secrets = ['code', 'state', 'token'];

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
  let dropped = 0;

  /** At most one line a minute, however many are dropped. */
  function countDropped() {
    dropped += 1;
    if (dropped > 1) return;
    setTimeout(() => {
      log.warn({ dropped }, 'page views were dropped');
      dropped = 0;
    }, 60_000).unref();
  }

  return async (req, res) => {
    const wait = limit.take(clientAddress(req));
    if (wait > 0) {
      countDropped();
      throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
    }
    const body = await readJsonBody(req, { maxBytes, maxDepth });
    const parsed = record.safeParse(body && parseJson(body));
    if (!parsed.success) throw new HttpError('INVALID_FIELDS', { fields: fieldsOf(parsed.error) });
    const { uid: _sentEmpty, uri, ...view } = parsed.data;
    log.info({ id: contextOf(req).id, ...view, uri: withoutSecrets(uri) }, 'page view');
    res.statusCode = 204;
    res.setHeader('Cache-Control', 'no-store');
    res.end();
  };
}

/** An address with the values of sign-in parameters and the fragment taken out. */
export function withoutSecrets(uri: string): string {
  const [path = '', search] = uri.replace(/#.*$/s, '').split(/\?(.*)/s);
  if (search === undefined) return path;
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()]) if (secrets.includes(name.toLowerCase())) query.set(name, '');
  return `${path}?${query}`;
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
