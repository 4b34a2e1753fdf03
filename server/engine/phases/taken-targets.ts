import { takenMark, unknownMark } from '../handover/table-progress.ts';
import type { JobSpec } from '../job.ts';
import type { Mark } from '../mark.ts';
import type { RefusedTable } from '../selected-tables.ts';
import type { Sink } from '../sink.ts';

/**
 * Records tables that a replay cannot take since another job writes into their targets: once that job is gone, its rows
 * stay, although a replay otherwise deletes what the source lacks.
 */
export async function noteTaken(
  { spec, sink }: { spec: JobSpec; sink: Sink },
  { epoch, tables }: Pick<Mark, 'epoch' | 'tables'>,
  refused: readonly RefusedTable[],
): Promise<void> {
  const taken = refused.flatMap(({ id, error, selection }) => {
    const isNew = id !== null && !tables.has(id);
    return isNew && error.code === 'TARGET_TAKEN' && unknownMark(spec, selection).resync ? [id] : [];
  });
  if (taken.length === 0) return;
  await sink.write({ job: spec.id, epoch, tables: new Map(taken.map((id) => [id, takenMark])) });
}
