import type { Row } from '../change.ts';

/** A chunk ends after this many bytes, however many rows were requested; a single row may be larger. */
export const mostChunkBytes = 8 * 2 ** 20;

/** Approximate size of a row in memory, in bytes. */
export function sizeOf(row: Row): number {
  return row.reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 0),
    0,
  );
}
