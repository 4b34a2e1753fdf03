import type { RunningJob } from '../flow/running-job.ts';
import { tableName } from '../table.ts';

/** Reports tables that the job does not carry; the supervisor knows which of them match the job's patterns. */
export async function tellNewTables({ spec, source, observer }: RunningJob): Promise<void> {
  const { newTablesIn = [] } = spec;
  // Without a schema the catalogue would list all of them.
  if (newTablesIn.length === 0) return;
  const known = new Set(spec.tables.map(tableName));
  const found = (await source.names(newTablesIn)).filter((table) => !known.has(tableName(table)));
  if (found.length > 0) observer.found?.(found);
}
