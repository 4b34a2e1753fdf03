import type { Key, Row } from './change.ts';
import type { EngineError } from './errors.ts';
import type { ParkedRow } from './mark.ts';
import type { Table } from './table.ts';

/** An action on one target row, after compaction: at most one action a key, unless the order matters. */
export type Action =
  /** The whole row, whether it exists or not. */
  | { kind: 'upsert'; row: Row }
  /** Some cells of a row that should exist; the others are UNCHANGED. */
  | { kind: 'update'; row: Row }
  | { kind: 'delete'; key: Key }
  /** The key changes, and UNCHANGED cells come from the old row. */
  | { kind: 'move'; from: Key; row: Row };

/**
 * `everything` leaves out any refused row. `values`, for a table whose target rows may be newer than the stream
 * (`TableProgress.mayMakeRoom`), does so except for unique values: those are free once the stream has passed.
 */
export type Parks = 'values' | 'everything';

/** What a batch does to one table, in this order. */
export interface TableBatch {
  /** The target table; rows have its columns. */
  table: Table;
  /** The table was truncated first. */
  truncate: boolean;
  /** In log order, with every key once; if keys are not exact, exactly as the log has them. */
  actions: readonly Action[];
  /** As the log has them, in case the compacted order violates a secondary unique key. */
  inLogOrder: readonly Action[];
  /** If missing, one refused row fails the batch. */
  parks?: Parks;
  /** More refused rows fail the batch, since their table will be blocked; if missing, they may have to be reread. */
  mostRefused?: number;
  /** Target rows may not be the job's own: none is deleted for a row whose unique value it holds. */
  keepsOthers?: true;
}

/** A row that the target lacks: a batch referred to it, or it made room for a row of the batch. */
export interface Missing {
  table: Table;
  /** It existed, and was deleted for another row that has its unique value. */
  madeRoom?: true;
  /** The key that the row should have after the action. */
  key: Key;
}

/** A row that the target refused; what the target has under its key is older, or nothing. */
export interface Refused {
  table: Table;
  key: Key;
  op: ParkedRow['op'];
  error: EngineError;
}

/** What came up at the target besides the rows it wrote. */
export interface Met {
  missing: readonly Missing[];
  refused: readonly Refused[];
}
