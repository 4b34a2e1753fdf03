import { EngineError, isOfTable, isPrivilegeMissing } from '../errors.ts';
import type { JobSpec } from '../job.ts';
import { selectTables, structureOf, targetTables } from '../selected-tables.ts';
import type { Sink, Statement } from '../sink.ts';
import type { Source } from '../source.ts';

/** The statements that make the job's tables at the target; those that it has already are marked. */
export async function planStructure(source: Source, sink: Sink, spec: JobSpec): Promise<Statement[]> {
  for (let tries = 1; ; tries++) {
    const { selected } = await selectTables(source, spec);
    try {
      return await structureOf(source, selected, await targetTables(sink, spec));
    } catch (error) {
      // Dropped since it was selected: the next selection leaves it out, and the other tables go on.
      if (!(error instanceof EngineError) || error.code !== 'TABLE_MISSING' || tries === mostSelections) throw error;
    }
  }
}

/** Tables may be dropped while structure is planned, but not for ever. */
const mostSelections = 5;

/** What the target refused, for a reason that concerns its table alone. */
export interface RefusedStatement {
  statement: Statement;
  error: EngineError;
}

/** What became of the statements of a phase. */
export interface MadeStructure {
  made: number;
  refused: RefusedStatement[];
}

/** Makes what is missing of one phase. @param isReady whether a statement's table can have it now */
export async function makeStructure(
  source: Source,
  sink: Sink,
  spec: JobSpec,
  phase: Statement['phase'],
  isReady: (statement: Statement) => boolean = () => true,
): Promise<MadeStructure> {
  const statements = await planStructure(source, sink, spec);
  const result: MadeStructure = { made: 0, refused: [] };
  for (const statement of statements) {
    if (statement.phase !== phase || statement.exists || !isReady(statement)) continue;
    try {
      await sink.run(statement);
      result.made++;
    } catch (error) {
      if (!isDispensable(statement, error)) throw error;
      result.refused.push({ statement, error });
    }
  }
  return result;
}

/** Without its tables a job cannot begin; without an index, or a part of a table that is there, it can go on. */
function isDispensable({ kind, phase }: Statement, error: unknown): error is EngineError {
  // What the target does not take at all keeps its table out.
  if (kind === 'column') return isOfTable(error) && error.retry === 'timed';
  if (kind === 'partition') return isOfTable(error) || isPrivilegeMissing(error);
  return isOfTable(error) && phase === 'after';
}
