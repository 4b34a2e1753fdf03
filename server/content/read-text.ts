import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { errorMessage } from '../error-message.ts';
import { bounds } from './bounds.ts';
import { isOpenAt, openFlags } from './confine.ts';

/** A file and its content, unless it is larger than a page may be. */
export interface ReadBytes {
  stats: Stats;
  bytes?: Buffer;
}

/**
 * Reads the file at a real path. It is checked again once it is open: a link created meanwhile is not followed.
 * @throws what the file system throws
 */
export function readBytes(path: string): ReadBytes | { problem: string } {
  const file = openSync(path, openFlags);
  try {
    const stats = fstatSync(file);
    if (!isOpenAt(path, stats)) return { problem: 'is no longer the file that was found' };
    return stats.size > bounds.bytes ? { stats } : { stats, bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

/** The text of the data file at a real path, or why it is unavailable, as the end of a sentence. */
export function readText(path: string): { text: string } | { problem: string } {
  try {
    const read = readBytes(path);
    if ('problem' in read) return read;
    const { bytes } = read;
    if (bytes === undefined) return { problem: `is larger than ${bounds.bytes / 1_000_000} MB` };
    const line = lineWithoutUtf8(bytes);
    return line === undefined ? { text: bytes.toString() } : { problem: `is not saved as UTF-8, see line ${line}` };
  } catch (error) {
    return { problem: `cannot be read: ${errorMessage(error)}` };
  }
}

/** The first line that is not UTF-8; undefined when all are. */
export function lineWithoutUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf('\n', start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
