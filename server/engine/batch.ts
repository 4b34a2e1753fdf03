import type { Key, Row } from './change.ts';
import type { EngineError } from './errors.ts';
import type { ParkedRow } from './mark.ts';
import type { Table } from './table.ts';

/** What is done to one row of the target, after compaction: at most one action a key, unless the order matters. */
export type Action =
  /** The whole row, whether it is there or not. */
  | { kind: 'upsert'; row: Row }
  /** Some cells of a row that should be there; the others are UNCHANGED. */
  | { kind: 'update'; row: Row }
  | { kind: 'delete'; key: Key }
  /** The key changes and cells that are UNCHANGED come from the old row. */
  | { kind: 'move'; from: Key; row: Row };

/**
 * Which refusals leave out their row instead of refusing everything: all, or, where rows of the target may be newer than
 * the stream (`TableProgress.mayMakeRoom`), those of values: a unique value is then free once the stream has passed.
 */
export type Parks = 'values' | 'everything';

/** What is done to one table, in this order. */
export interface TableBatch {
  /** The target's table; rows have its columns. */
  table: Table;
  /** Rows were truncated first. */
  truncate: boolean;
  /** In the order of the log, with every key once; or as they were told where keys are not exact. */
  actions: readonly Action[];
  /** As the log told them, for the case that the compacted order meets a secondary unique key. */
  inLogOrder: readonly Action[];
  /** Left out: one refused row refuses the batch. */
  parks?: Parks;
  /** Rows of the target may be somebody else's: none leaves for one whose unique value it has. */
  keepsOthers?: true;
}

/** A row that the target lacks: a batch spoke of it, or it made room for one of the batch. */
export interface Missing {
  table: Table;
  /** It was there, and left for another row that has its unique value. */
  madeRoom?: true;
  /** The key that the row should have after the action. */
  key: Key;
}

/** A row that the target refused; what it has under the key is older, or nothing. */
export interface Refused {
  table: Table;
  key: Key;
  op: ParkedRow['op'];
  error: EngineError;
}

/** What a target met besides what it wrote. */
export interface Met {
  missing: readonly Missing[];
  refused: readonly Refused[];
}
