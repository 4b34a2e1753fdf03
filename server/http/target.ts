import { Refusal } from '../errors.ts';

/** A request target that is safe to look up. */
export interface Target {
  /** Decoded path. */
  path: string;
  query: URLSearchParams;
  /** The query as it was sent, with its question mark, or empty. */
  search: string;
}

const maxLength = 8192;
// Encoded slashes and backslashes would give one address two readings.
const ambiguous = /%2f|%5c|\\/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u001f\u007f]/;
const traversal = /(?:^|\/)\.{1,2}(?:\/|$)/;
const notAscii = /[^\u0021-\u007e]/;

/** Splits and decodes `req.url`; throws a Refusal for anything that is not a plain address of this site. */
export function readTarget(url: string): Target {
  if (url.length > maxLength) throw new Refusal('ADDRESS_TOO_LONG');
  if (!url.startsWith('/') || notAscii.test(url)) throw new Refusal('BAD_REQUEST');
  const mark = url.indexOf('?');
  const raw = mark < 0 ? url : url.slice(0, mark);
  const search = mark < 0 ? '' : url.slice(mark);
  if (ambiguous.test(raw) || raw.includes('#')) throw new Refusal('BAD_REQUEST');
  const path = decode(raw);
  if (control.test(path) || traversal.test(path)) throw new Refusal('BAD_REQUEST');
  return { path, query: new URLSearchParams(search), search };
}

function decode(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    throw new Refusal('BAD_REQUEST', { cause });
  }
}
