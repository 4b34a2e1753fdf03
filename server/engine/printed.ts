import type { Key, Row } from './change.ts';

/** Rows as their system printed them for its own bulk load: a target of the same family takes them as they are. */
export interface PrintedRows {
  /** How many rows there are. */
  readonly length: number;
  /** For each printed column its place in the rows of the table. */
  readonly columns: readonly number[];
  /** The print, cut between rows. */
  readonly pieces: readonly Uint8Array[];
  /** In the form of machines: faster, and no row can be taken out. */
  readonly isBinary: boolean;
}

/** The print of a chunk. */
export interface PrintedChunk extends PrintedRows {
  /** Takes the rows of these keys out. */
  without(keys: readonly Key[]): { rest: PrintedRows; rows: readonly Row[] };
}
