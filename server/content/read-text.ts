import { readFileSync, statSync } from 'node:fs';
import { errorMessage } from '../error-message.ts';
import { bounds } from './bounds.ts';

/** The text of a data file, or why it cannot be had, as the end of a sentence. */
export function readText(path: string): { text: string } | { problem: string } {
  try {
    const { size } = statSync(path);
    if (size > bounds.bytes) return { problem: `is larger than ${bounds.bytes / 1_000_000} MB` };
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    return { problem: `cannot be read: ${errorMessage(error)}` };
  }
}
