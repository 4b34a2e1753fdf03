import { EngineError } from './errors.ts';
import type { Position } from './position.ts';
import { type Table, tableName } from './table.ts';

/** Stands for a cell that is not in the log: unchanged TOAST, and columns outside a key. */
export const UNCHANGED: unique symbol = Symbol('unchanged');

/** The exact text of a value, its bytes, NULL, or UNCHANGED. Nothing becomes a number or a date on the way. */
export type Cell = string | Uint8Array | null | typeof UNCHANGED;

/** Cells in the order of a table version's columns. */
export type Row = readonly Cell[];

/** The cells of a key, in the order of `Table.key`; never NULL, never UNCHANGED. */
export type Key = readonly (string | Uint8Array)[];

/** A source transaction begins; everything up to its commit belongs to it. */
export interface Begin {
  kind: 'begin';
  /** The source's own transaction ID, for `Chunk.sees`. */
  transaction: string;
  /** When the source committed it, in epoch milliseconds; used for the lag. */
  committedAt: number;
}

export interface RowChange {
  kind: 'row';
  op: 'insert' | 'update' | 'delete';
  table: Table;
  /** The old key's cells of a delete, or of an update that changes the key; otherwise null. */
  before: Row | null;
  /** The new row; null for a delete. */
  after: Row | null;
  /** The log identifies the old row by all of its cells: other rows may have had the same key then. */
  isToldWhole?: true;
}

/** A change of a row that the source cannot read, which keeps its table from following further. */
export interface Unreadable {
  kind: 'unreadable';
  table: Table;
  /** Of the table. */
  error: EngineError;
}

export interface Truncate {
  kind: 'truncate';
  tables: readonly Table[];
}

/** From here on, rows of the table have these columns. */
export interface SchemaChange {
  kind: 'schema';
  table: Table;
}

export interface Commit {
  kind: 'commit';
  position: Position;
}

/** Outside transactions: everything before this position has been delivered. */
export interface Alive {
  kind: 'alive';
  position: Position;
}

export type Change = Begin | RowChange | Unreadable | Truncate | SchemaChange | Commit | Alive;

/** A row's key. @throws EngineError TABLE_CHANGED if a key cell is missing: rows are identified by other columns now */
export function keyOf(table: Table, row: Row): Key {
  return table.key.map((column) => {
    const cell = row[column];
    if (typeof cell === 'string' || cell instanceof Uint8Array) return cell;
    throw new EngineError('TABLE_CHANGED', { side: 'source', table: tableName(table) });
  });
}

/** A key as text, for maps; two keys have the same text if and only if all of their cells are the same. */
export function keyText(key: Key): string {
  const [only] = key;
  // The usual key: no other text begins like this.
  if (key.length === 1 && typeof only === 'string') return `=${only}`;
  return JSON.stringify(key.map((cell) => (typeof cell === 'string' ? cell : [Buffer.from(cell).toString('base64')])));
}

/** Whether a row has a value for every column that can be written. */
export function isWhole(table: Table, row: Row): boolean {
  return row.every((cell, column) => cell !== UNCHANGED || table.columns[column]?.generated === true);
}
