import { EngineError } from './errors.ts';
import type { JobSpec } from './job.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import { tableName } from './table.ts';

/**
 * Refuses a job that would read its own writes for ever: one that writes a table which it reads, in one database.
 * @throws EngineError TARGET_IS_SOURCE
 */
export async function refuseCircle({ tables }: JobSpec, source: Source, sink: Sink): Promise<void> {
  const read = new Set(tables.map(tableName));
  const both = tables.map(({ target }) => tableName(target)).find((name) => read.has(name));
  if (both === undefined || !(await sink.withSign((sign) => source.sees(sign)))) return;
  throw new EngineError('TARGET_IS_SOURCE', { side: 'target', table: both });
}
