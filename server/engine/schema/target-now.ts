import { makeRoute, type Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { TableSelection } from '../job.ts';
import { missingTable } from '../namesakes.ts';
import { type Table, tableName } from '../table.ts';
import { narrowerColumn } from './narrower-column.ts';

/** The target table of a selection as its catalogue has it now; undefined if there is none. @throws EngineError */
export async function targetNow({ sink }: RunningJob, { target }: TableSelection): Promise<Table | undefined> {
  const have = await sink.catalog([target.schema]);
  return have.find((table) => tableName(table) === tableName(target));
}

/**
 * How rows of a table as it is at the source go into what the target has now.
 * @throws EngineError if they cannot, such as TABLE_MISSING or NOT_A_TABLE
 */
export async function routeNow(job: RunningJob, table: TableProgress, now: Table): Promise<Route> {
  const { selection } = table.route;
  const target = await targetNow(job, selection);
  if (!target) throw missingTable('target', selection.target, await job.sink.namesakes([selection.target]));
  const route = makeRoute(now, selection, target, job.spec.ddl === 'ignore');
  const narrower = narrowerColumn(job, route);
  if (narrower) throw narrower;
  return route;
}
