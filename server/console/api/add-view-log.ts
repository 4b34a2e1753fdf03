import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { limitKey } from '../../http/client-address.ts';
import { HttpError } from '../../http/errors.ts';
import { RateLimit } from '../../http/rate-limit.ts';
import { storedUri, withoutQuery } from '../page-view/stored-address.ts';
import { publicCall } from './define-call.ts';

const mostPerMinute = 60;
const mostBytes = 4 * 1024;
const text = (most: number) => z.string().max(most).default('');

const schema = z.strictObject({
  src: text(1024),
  kw: text(256),
  vbId: text(256),
  clientId: z
    .string()
    .regex(/^[0-9a-f]{0,128}$/i)
    .default(''),
  // Always sent empty, never stored.
  uid: text(256),
  uri: z.string().max(2048).regex(/^\//),
});

const limit = new RateLimit(mostPerMinute);

/** Records a page view; the answer has no body. */
export const addViewLog = publicCall(
  calls.addViewLog,
  schema,
  async ({ body, address }, { pageViews, now }) => {
    const key = limitKey(address);
    const wait = key === undefined ? 0 : limit.take(key, now());
    if (wait > 0) throw new HttpError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(wait) } });
    const { uid: _sentEmpty, uri, src, ...view } = body;
    pageViews.add({ ...view, uri: storedUri(uri), src: withoutQuery(src), address, at: now() });
    return undefined;
  },
  { mostBytes },
);
