import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { errorMessage } from '../error-message.ts';
import { bounds } from './bounds.ts';

/** The text of a data file, or why it cannot be had, as the end of a sentence. */
export function readText(path: string): { text: string } | { problem: string } {
  try {
    const { size } = statSync(path);
    if (size > bounds.bytes) return { problem: `is larger than ${bounds.bytes / 1_000_000} MB` };
    const bytes = readFileSync(path);
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
