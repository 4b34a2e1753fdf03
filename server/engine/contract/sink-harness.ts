import type { Cell } from '../change.ts';
import type { Sink } from '../sink.ts';
import type { Table } from '../table.ts';
import type { ProvedSystem } from './proof.ts';

/** A fresh database of a family with the model's tables, and what a test does to it without the engine. */
export interface SinkHarness {
  system: ProvedSystem;
  /** Opens the sink as a new process would. */
  open(signal: AbortSignal): Sink;
  /** The same, but the connection breaks at the next COMMIT: before the server has it, or once it is done. */
  openFailing(signal: AbortSignal, when: 'before' | 'after'): Promise<Sink>;
  /** Whether a change takes a unique value from the row that holds it: for sources that deliver current rows. */
  evicts: boolean;
  /** A text as a cell. */
  cell(text: string): Cell;
  /** All rows, read with the family's own SQL, as texts in column order; `plain` refuses the id and the a 'refused'. */
  rows(table: Table): Promise<(string | null)[][]>;
  /** Runs a statement as another user of the database. */
  run(sql: string): Promise<void>;
  /** Names of what a job left behind in the database. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}
