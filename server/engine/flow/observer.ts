import type { EngineError } from '../errors.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { RefusedTable } from '../selected-tables.ts';
import type { Route } from './route.ts';

/** Who is told what a job does; measuring and reporting are up to it. */
export interface Observer {
  /** A chunk is in the target. */
  copied(table: TableProgress, rows: number): void;
  /** A batch is in the target; `committedAt` is the newest commit of the source in it. */
  applied(rows: number, transactions: number, bytes: number, committedAt: number | null): void;
  /** The oldest commit of the source that was told and is not in the target; null when there is none. */
  pending(committedAt: number | null): void;
  /** The target holds all that the source has told. */
  idle(): void;
  /** A table's mark or fault changed. */
  changed(table: TableProgress): void;
  event(level: 'info' | 'warning', sentence: string, table?: TableProgress): void;
  blocked(table: TableProgress, error: EngineError): void;
  /** Tables that take no part. */
  refused?(tables: readonly RefusedTable[]): void;
  /** Ids of tables that the job carried once, and the tables that have their names now. */
  replaced?(tables: readonly { id: string; route: Route }[]): void;
  /** Tables of the source that the job does not carry; told at every look. */
  found?(tables: readonly { schema: string; name: string }[]): void;
  /** Where the stream's time went, in milliseconds. */
  waited(side: 'source' | 'target', ms: number): void;
}
