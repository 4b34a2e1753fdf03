import type { JobSpec } from '../job.ts';
import { selectTables, targetTables, wantedTables } from '../selected-tables.ts';
import type { Sink, Statement } from '../sink.ts';
import type { Source } from '../source.ts';

/** The statements that make the job's tables at the target; those that it has already are marked. */
export async function planStructure(source: Source, sink: Sink, spec: JobSpec): Promise<Statement[]> {
  const { selected } = await selectTables(source, spec);
  return await source.structure(
    selected.map((table) => table.source),
    wantedTables(selected),
    await targetTables(sink, spec),
  );
}

/**
 * Makes what is missing of one phase.
 * @returns how many statements were run
 */
export async function makeStructure(
  source: Source,
  sink: Sink,
  spec: JobSpec,
  phase: Statement['phase'],
): Promise<number> {
  const statements = await planStructure(source, sink, spec);
  const missing = statements.filter((statement) => statement.phase === phase && !statement.exists);
  for (const statement of missing) await sink.run(statement);
  return missing.length;
}
