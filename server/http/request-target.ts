import { HttpError } from './errors.ts';
import { isHostName } from './host.ts';

/** A request target that is safe to look up. */
export interface Target {
  /** Decoded path. */
  path: string;
  query: URLSearchParams;
  /** The query as sent, with its question mark, or empty. */
  search: string;
}

const maxLength = 8192;
// Encoded slashes and backslashes would give one address two meanings.
const ambiguous = /%2f|%5c|\\/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const control = /[\u0000-\u001f\u007f]/;
const traversal = /(?:^|\/)\.{1,2}(?:\/|$)/;
/** `http://name/…`, as sent to a proxy; a server must accept it too (RFC 9112 3.2.2). */
const absolute = /^https?:\/\/([^/?#]+)(?=[/?]|$)/i;
const notAscii = /[^\u0021-\u007e]/;

/** Splits and decodes `req.url`; throws an HttpError for anything that is not a plain address of this site. */
export function readTarget(url: string): Target {
  if (url.length > maxLength) throw new HttpError('ADDRESS_TOO_LONG');
  const own = withoutOrigin(url);
  if (!own.startsWith('/') || notAscii.test(own)) throw new HttpError('BAD_REQUEST');
  const mark = own.indexOf('?');
  const raw = mark < 0 ? own : own.slice(0, mark);
  const search = mark < 0 ? '' : own.slice(mark);
  if (ambiguous.test(raw) || raw.includes('#')) throw new HttpError('BAD_REQUEST');
  const path = decode(raw);
  if (control.test(path) || climbs(path)) throw new HttpError('BAD_REQUEST');
  return { path, query: new URLSearchParams(search), search };
}

/** Whether a path has a segment that leads up or stays: `..` or `.`. */
export function climbs(path: string): boolean {
  return traversal.test(path);
}

/** Any well-formed name is served, as in the Host header; only the path counts. */
function withoutOrigin(url: string): string {
  const [origin = '', host = ''] = absolute.exec(url) ?? [];
  if (!isHostName(host)) return url;
  const rest = url.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decode(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    throw new HttpError('BAD_REQUEST', { cause });
  }
}
