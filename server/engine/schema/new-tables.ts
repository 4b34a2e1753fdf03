import type { RunningJob } from '../flow/running-job.ts';
import { type Table, tableName } from '../table.ts';

/** Tells of tables that the job does not carry; who made the job knows which of them fit its patterns. */
export function tellNewTables({ spec, observer }: RunningJob, catalog: Iterable<Table>): void {
  const schemas = new Set(spec.newTablesIn);
  if (schemas.size === 0) return;
  const known = new Set(spec.tables.map(tableName));
  const found = [...catalog].filter((table) => schemas.has(table.schema) && !known.has(tableName(table)));
  if (found.length > 0) observer.found?.(found);
}
