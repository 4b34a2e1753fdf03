import { EngineError } from './errors.ts';
import type { JobSpec } from './job.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import { tableName } from './table.ts';

/** TARGET_IS_SOURCE where a job would read its own writes for ever: it writes a table which it reads, in one database. */
export async function findCircle({ tables }: JobSpec, source: Source, sink: Sink): Promise<EngineError | undefined> {
  const read = new Set(tables.map(tableName));
  const both = tables.map(({ target }) => tableName(target)).find((name) => read.has(name));
  if (both === undefined || !(await sink.withSign((sign) => source.sees(sign)))) return undefined;
  return new EngineError('TARGET_IS_SOURCE', { side: 'target', table: both });
}
