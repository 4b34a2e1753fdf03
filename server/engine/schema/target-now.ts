import type { RunningJob } from '../flow/running-job.ts';
import type { TableSelection } from '../job.ts';
import { type Table, tableName } from '../table.ts';

/** The target's table of a selection as its catalogue has it now; undefined where there is none. @throws EngineError */
export async function targetNow({ sink }: RunningJob, { target }: TableSelection): Promise<Table | undefined> {
  const have = await sink.catalog([target.schema]);
  return have.find((table) => tableName(table) === tableName(target));
}
