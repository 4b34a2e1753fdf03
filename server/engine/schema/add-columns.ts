import { assertNotMadeNow } from '../flow/lock-patience.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { structureOf } from '../selected-tables.ts';
import type { Table } from '../table.ts';

/**
 * Adds to the target the columns that a table now has at the source.
 * @returns whether there were any
 * @throws EngineError LOCK_TIMED_OUT, also while the job itself creates an index there
 */
export async function addColumns(
  job: RunningJob,
  { route: { selection } }: TableProgress,
  now: Table,
): Promise<boolean> {
  const have = await job.sink.catalog([selection.target.schema]);
  const statements = await structureOf(job, [{ selection, source: now }], have);
  // With the objects they depend on.
  const kinds: readonly string[] = ['schema', 'type', 'sequence', 'column'];
  const missing = statements.filter(({ kind, phase, exists }) => kinds.includes(kind) && phase === 'before' && !exists);
  if (!missing.some(({ kind }) => kind === 'column')) return false;
  assertNotMadeNow(job, selection.target);
  for (const statement of missing) await job.sink.run(statement);
  return true;
}
