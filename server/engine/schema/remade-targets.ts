import { isOfTable } from '../errors.ts';
import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { copiedAgain } from '../handover/made-again.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { blockTable, copyAs } from '../handover/table-requests.ts';
import { tableName } from '../table.ts';
import { routeNow } from './target-now.ts';

/**
 * Looks whether rows go into the tables that they went into before. One that was made again at the target, or has the name
 * of another one by now, lacks rows, and may be written to in other ways: it is taken as it is now, and copied again.
 */
export async function takeRemadeTargets(job: RunningJob): Promise<void> {
  const tables = [...job.tables.values()].filter(({ isSkipped, facts }) => !isSkipped && facts);
  if (tables.length === 0) return;
  const ids = await job.sink.ids?.(tables.map(({ route }) => route.target));
  // Of one that is gone the next row finds out.
  const isRemade = ({ route: { target } }: TableProgress) => (ids?.get(tableName(target)) ?? target.id) !== target.id;
  for (const table of tables.filter(isRemade)) await takeRemade(job, table);
}

async function takeRemade(job: RunningJob, table: TableProgress): Promise<void> {
  try {
    const route = await routeNow(job, table, table.route.source);
    job.requests.push(() => goOnWith(job, table, route));
  } catch (error) {
    if (!isOfTable(error)) throw error;
    // Somebody has locked it: a later look finds it again.
    if (error.retry !== 'timed') job.requests.push(() => blockTable(job, table, error));
  }
}

/** Between two transactions: what is written from now on goes into the table of now. */
async function goOnWith(job: RunningJob, table: TableProgress, route: Route): Promise<void> {
  const hasRows = table.mark.ranges.length > 0;
  const isTaken = await job.locks.with([table.id], async () => {
    const { facts, mark } = table;
    // An order of a person, or an earlier look, was faster; of a table that was altered meanwhile the next look finds it.
    if (table.isSkipped || !facts || table.route.target.id === route.target.id) return false;
    if (table.route.source !== route.source) return false;
    if (hasRows || table.isCopied)
      await copyAs(job, table, { route, facts, mark: hasRows ? copiedAgain(job, mark) : mark });
    else await writeInto(job, table, route);
    return true;
  });
  if (!isTaken) return;
  const then = hasRows ? 'it is copied again' : 'rows go into that one from now on';
  job.observer.event('warning', `Another table has its name at the target since rows went into it: ${then}.`, table);
}

/** What was never copied lacks nothing. */
async function writeInto(job: RunningJob, table: TableProgress, route: Route): Promise<void> {
  table.route = route;
  table.mark = { ...table.mark, target: route.target.id };
  await job.sink.write(markUpdate(job, { tables: new Map([[table.id, table.mark]]) }));
}
