import type { Key, Row } from './change.ts';

/** Rows as their system printed them for its own bulk load: a target of the same family accepts them unchanged. */
export interface PrintedRows {
  /** The number of rows. */
  readonly length: number;
  /** For each printed column, its place in the table's rows. */
  readonly columns: readonly number[];
  /** The print, cut between rows. */
  readonly pieces: readonly Uint8Array[];
  /** In binary form: faster, but no row can be taken out. */
  readonly isBinary: boolean;
}

/** The print of a chunk. */
export interface PrintedChunk extends PrintedRows {
  /** Takes out the rows with these keys. */
  without(keys: readonly Key[]): { rest: PrintedRows; rows: readonly Row[] };
}
