import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type BrotliQuality = 5 | 11;

/** Brotli for text: 5 is fast enough to wait for, 11 is computed once in the background. */
export function toBrotli(body: Buffer, quality: BrotliQuality): Promise<Buffer> {
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

export function toGzip(body: Buffer): Promise<Buffer> {
  return zip(body, { level: 9 });
}

/** Bodies that may wait for their best form: half a minute of one core. */
export const maxWaiting = 256;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Best brotli, one body at a time: it takes a tenth of a second of a core. Undefined when too many are already waiting.
 */
export async function toBestBrotli(body: Buffer): Promise<Buffer | undefined> {
  if (waiting >= maxWaiting) return undefined;
  waiting += 1;
  const made = last.then(() => toBrotli(body, 11)).finally(() => (waiting -= 1));
  last = made.catch(() => undefined);
  return made;
}
