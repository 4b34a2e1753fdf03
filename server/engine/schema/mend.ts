import type { EngineError } from '../errors.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { targetColumn } from '../job.ts';
import { tryAlteration } from './alter-target.ts';
import { decideSchema, droppedColumns } from './decide.ts';
import { factsNow } from './facts-now.ts';
import { followPartitions, partitionFault } from './partitions.ts';
import { renamedLabel } from './rewrites.ts';

/**
 * Brings the target up to a change of the source's structure that its rows showed before the catalogue was compared.
 * @param error of a row that the target refused
 * @returns true if it may now accept what it refused; otherwise the reason why not
 * @throws EngineError if that cannot be determined now, such as LOCK_TIMED_OUT
 */
export async function mendTarget(
  job: RunningJob,
  table: TableProgress,
  error: EngineError,
): Promise<true | EngineError> {
  switch (error.code) {
    case 'VALUE_REFUSED':
      return (await followLabels(job)) || (await followTypes(job, table)) || error;
    case 'CONSTRAINT_REFUSED':
      return (await loosen(job, table, error.place.column)) || error;
    case 'PARTITION_MISSING': {
      const { made, lacking, passing } = await followPartitions(job, table);
      if (made.length > 0) return true;
      // Readers of the target table finish at some point.
      if (passing) throw passing;
      return partitionFault(error, lacking);
    }
    default:
      return error;
  }
}

/** A column that the source dropped must accept NULL. */
async function loosen(job: RunningJob, table: TableProgress, column: string | undefined): Promise<boolean> {
  if (column === undefined || job.spec.ddl === 'stop') return false;
  const { route } = table;
  const now = await factsNow(job, table);
  const dropped = now ? droppedColumns(route, now.table) : [];
  const isDropped = dropped.some((name) => targetColumn(route.selection, name) === column);
  return now !== undefined && isDropped && (await tryAlteration(job, route, now.table, [])) === 'done';
}

/** Widens columns to their source types; once the catalogue is compared, the table is copied again. */
async function followTypes(job: RunningJob, table: TableProgress): Promise<boolean> {
  if (job.spec.ddl !== 'safe') return false;
  const { route } = table;
  const now = await factsNow(job, table);
  if (!now) return false;
  const decision = decideSchema(table, now, job.spec.ddl);
  if (decision?.kind !== 'follow' || decision.widened.length === 0) return false;
  return (await tryAlteration(job, route, now.table, decision.widened)) === 'done';
}

/**
 * Adds enum labels that the source has and the target lacks: a row may contain a new one before the catalogue is
 * compared. A label that was renamed at the source is not new.
 * @returns whether the target now accepts a label that it refused before
 */
export async function followLabels(job: RunningJob): Promise<boolean> {
  if (job.spec.ddl !== 'safe') return false;
  const tables = [...job.tables.values()].filter(
    ({ isSkipped, facts }) => !isSkipped && facts && facts.enums.length > 0,
  );
  if (tables.length === 0) return false;
  const now = await job.source.facts(
    job.spec.id,
    tables.map(({ route }) => route.source),
  );
  const enums = now.filter((facts) => {
    const before = job.tables.get(facts.table.id)?.facts;
    return before && !renamedLabel(before, facts);
  });
  const added = await job.sink.addLabels(enums.flatMap((facts) => facts.enums));
  if (added > 0) job.observer.event('info', 'New enum labels were added at the target.');
  return added > 0;
}
