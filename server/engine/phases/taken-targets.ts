import { takenMark, unknownMark } from '../handover/table-progress.ts';
import type { JobSpec } from '../job.ts';
import type { RefusedTable } from '../selected-tables.ts';
import type { Sink } from '../sink.ts';

/**
 * Records tables that a replay cannot take since another job writes into their targets: once that job is gone, its rows
 * stay, although a replay otherwise deletes what the source lacks.
 */
export async function noteTaken(spec: JobSpec, sink: Sink, refused: readonly RefusedTable[]): Promise<void> {
  const taken = refused.flatMap(({ id, error, selection }) =>
    id !== null && error.code === 'TARGET_TAKEN' && unknownMark(spec, selection).resync ? [id] : [],
  );
  if (taken.length === 0) return;
  const { epoch, tables } = await sink.takeOver(spec.id);
  const fresh = taken.filter((id) => !tables.has(id));
  if (fresh.length > 0) await sink.write({ job: spec.id, epoch, tables: new Map(fresh.map((id) => [id, takenMark])) });
}
