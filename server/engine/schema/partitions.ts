import { EngineError, isOfTable, isPrivilegeMissing } from '../errors.ts';
import type { Facts } from '../facts.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { structureOf } from '../selected-tables.ts';
import type { Statement } from '../sink.ts';
import { listed, tableName } from '../table.ts';
import { factsNow } from './facts-now.ts';

/** Whether a table has a partition that it did not have before. */
export function hasNewParts(before: Facts, { parts }: Facts): boolean {
  return parts.some(({ id }) => !before.parts.some((part) => part.id === id));
}

/**
 * Creates partitions that the source has and the target lacks, as structure does, if the policy allows the target to
 * follow.
 * @returns names of those created and of those still missing; an error that passes on its own, if one prevented some
 */
export async function followPartitions(
  job: RunningJob,
  table: TableProgress,
): Promise<{ made: string[]; lacking: string[]; passing: EngineError | undefined }> {
  const missing = job.spec.ddl === 'safe' ? await missingPartitions(job, table) : [];
  let passing: EngineError | undefined;
  for (const statement of missing) {
    try {
      await job.sink.run(statement);
    } catch (error) {
      if (!isOfTable(error) && !isPrivilegeMissing(error)) throw error;
      if (error.retry === 'timed') passing = error;
      job.observer.event('warning', `The target refuses the partition ${statement.table}: ${error.message}`, table);
    }
  }
  const left = await missingPartitions(job, table);
  const lacking = left.filter(({ kind }) => kind === 'partition').map((statement) => statement.table);
  const wanted = missing.filter(({ kind }) => kind === 'partition').map((statement) => statement.table);
  const made = wanted.filter((name) => !lacking.includes(name));
  if (made.length > 0) job.observer.event('info', `Partitions were created at the target: ${listed(made)}.`, table);
  return { made, lacking, passing };
}

/** Why the target has no partition for a row, once those of the source were created as far as possible. */
export function partitionFault({ place }: EngineError, lacking: readonly string[]): EngineError {
  const subject =
    lacking.length > 0 ? `it lacks ${listed(lacking)}` : "its partitions have different bounds from the source's";
  return new EngineError('PARTITION_MISSING', { ...place, subject });
}

/** Partitions that the target lacks, with schemas that they may need. */
async function missingPartitions(job: RunningJob, table: TableProgress): Promise<Statement[]> {
  const { route } = table;
  const { selection } = route;
  const now = await factsNow(job, table);
  if (!now) throw new EngineError('TABLE_MISSING', { side: 'source', table: tableName(route.source) });
  const have = await job.sink.catalog([selection.target.schema]);
  const statements = await structureOf(job, [{ selection, source: now.table }], have);
  const partitions = statements.filter(({ kind, exists }) => kind === 'partition' && !exists);
  const schemas = statements.filter(({ kind, exists }) => kind === 'schema' && !exists);
  return partitions.length > 0 ? [...schemas, ...partitions] : [];
}
