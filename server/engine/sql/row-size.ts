import type { Row } from '../change.ts';

/** Bytes of a chunk after which it ends, whatever number of rows was asked for; a single row may have more. */
export const mostChunkBytes = 8 * 2 ** 20;

/** Rough bytes of a row in memory. */
export function sizeOf(row: Row): number {
  return row.reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 0),
    0,
  );
}
