import type { TableFacts } from '../facts.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';

/** What the source's catalogue says of one table now; undefined if the table is gone. @throws EngineError */
export async function factsNow(
  { source, spec }: RunningJob,
  { id, route }: Pick<TableProgress, 'id' | 'route'>,
): Promise<TableFacts | undefined> {
  const catalog = await source.facts(spec.id, [route.source]);
  return catalog.find(({ table }) => table.id === id);
}
