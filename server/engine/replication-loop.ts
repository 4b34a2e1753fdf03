import { EngineError } from './errors.ts';
import type { JobSpec } from './job.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import { tableName } from './table.ts';

/**
 * TARGET_IS_SOURCE if a job would read its own writes forever: it writes a table that it reads, in one database.
 * JOBS_IN_CIRCLE if it would do so through another job.
 */
export async function findLoop(spec: JobSpec, source: Source, sink: Sink): Promise<EngineError | undefined> {
  const { tables } = spec;
  const read = new Set(tables.map(tableName));
  const both = tables.map(({ target }) => tableName(target)).find((name) => read.has(name));
  if (both !== undefined && (await sink.withSign((sign) => source.sees(sign))))
    return new EngineError('TARGET_IS_SOURCE', { side: 'target', table: both });
  return spec.type === 'SYNC' ? await findWayBack(spec, source, sink) : undefined;
}

/** Another job that leads from a table written by this job back to the table that this job reads. */
async function findWayBack({ id, tables }: JobSpec, source: Source, sink: Sink): Promise<EngineError | undefined> {
  const writers = await source.writers?.(id, tables);
  for (const table of tables) {
    const job = writers?.get(tableName(table));
    if (job !== undefined && (await sink.follows?.(job, table.target)))
      return new EngineError('JOBS_IN_CIRCLE', {
        side: 'target',
        table: tableName(table.target),
        subject: `job ${job}`,
      });
  }
  return undefined;
}
