import type { Row } from '../change.ts';
import type { Source } from '../source.ts';
import type { Table } from '../table.ts';
import type { ProvedSystem } from './proof.ts';

/** A fresh database of a family with the tables of `users.ts`, and what a test does to it without the engine. */
export interface SourceHarness {
  system: ProvedSystem;
  /** Opens the source as a new process would. */
  open(signal: AbortSignal): Source;
  /** Runs statements as a user in one transaction. */
  write(statements: readonly string[], end: 'COMMIT' | 'ROLLBACK'): Promise<void>;
  /** The statement that empties a table. */
  truncate(table: string): string;
  /** All rows, read with the family's own SQL, as cells in column order. */
  rows(table: Table): Promise<Row[]>;
  /** Names of what a job left behind in the database. */
  leftovers(job: string): Promise<string[]>;
  close(): Promise<void>;
}
