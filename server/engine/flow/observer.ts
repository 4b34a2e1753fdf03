import type { EngineError } from '../errors.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { RefusedTable } from '../selected-tables.ts';
import type { Route } from './route.ts';

/** Is notified of what a job does; it does the measuring and reporting. */
export interface Observer {
  /** A chunk is in the target. */
  copied(table: TableProgress, rows: number): void;
  /** A batch is in the target; `committedAt` is the source's newest commit in it. */
  applied(rows: number, transactions: number, bytes: number, committedAt: number | null): void;
  /** The oldest source commit that was delivered and is not in the target; null if there is none. */
  pending(committedAt: number | null): void;
  /** The target holds everything that the source has delivered. */
  idle(): void;
  /** A table's mark or fault changed. */
  changed(table: TableProgress): void;
  event(level: 'info' | 'warning', sentence: string, table?: TableProgress): void;
  blocked(table: TableProgress, error: EngineError): void;
  /** Tables that cannot take part. */
  refused?(tables: readonly RefusedTable[]): void;
  /** Ids of tables that the job once carried, and the tables that have their names now. */
  replaced?(tables: readonly { id: string; route: Route }[]): void;
  /** Source tables that the job does not carry; reported at every check. */
  found?(tables: readonly { schema: string; name: string }[]): void;
  /** Where the stream's time went, in milliseconds. */
  waited(side: 'source' | 'target', ms: number): void;
}
