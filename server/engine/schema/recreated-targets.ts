import { EngineError, isOfTable } from '../errors.ts';
import { makeRoute, type Route } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { copiedAgain } from '../handover/recreated-targets.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { blockTable, copyAs } from '../handover/table-requests.ts';
import type { Standing } from '../sink.ts';
import { type Column, tableName } from '../table.ts';
import { narrowerColumn } from './narrower-column.ts';
import { routeNow, targetNow } from './target-now.ts';

/**
 * Checks whether rows still go into the same tables as before. A target table that was recreated, or whose name another
 * one has by now, lacks rows, and may need to be written differently: it is taken as it is now, and copied again. A
 * table whose columns would now round or cut values, or whose triggers or rules would alter rows, waits.
 */
export async function takeRecreatedTargets(job: RunningJob): Promise<void> {
  const tables = [...job.tables.values()].filter(({ isSkipped, facts }) => !isSkipped && facts);
  if (tables.length === 0) return;
  const standing = await job.sink.standing?.(tables.map(({ route }) => route.target));
  for (const table of tables) {
    const { target } = table.route;
    const now = standing?.get(tableName(target));
    // If it is gone, the next row finds out.
    if (!now) continue;
    if (now.id !== target.id) await take(job, table, () => routeNow(job, table, table.route.source));
    // The same goes for a column that is gone.
    else if (now.altering !== null) {
      const place = { side: 'target', table: tableName(target), subject: now.altering } as const;
      job.requests.push(() => blockTable(job, table, new EngineError('TRIGGER_IN_THE_WAY', place)));
    } else if (target.columns.every(({ name }) => now.types[name]) && target.columns.some(isRetyped(now)))
      await take(job, table, () => routeRetyped(job, table));
  }
}

const isRetyped =
  ({ types }: Standing) =>
  ({ name, type }: Column) =>
    types[name] !== type;

/** The same route, into columns of other types. @throws EngineError TYPE_NARROWER */
async function routeRetyped(job: RunningJob, { route: { source, selection, target } }: TableProgress): Promise<Route> {
  const now = (await targetNow(job, selection)) ?? target;
  const carried = new Set(target.columns.map(({ name }) => name));
  const columns = now.columns.filter(({ name }) => carried.has(name));
  const route = makeRoute(source, selection, { ...now, columns }, true);
  const narrower = narrowerColumn(job, route);
  if (narrower) throw narrower;
  return route;
}

async function take(job: RunningJob, table: TableProgress, routeOf: () => Promise<Route>): Promise<void> {
  try {
    const route = await routeOf();
    job.requests.push(() => goOnWith(job, table, route));
  } catch (error) {
    if (!isOfTable(error)) throw error;
    // If it is locked, a later check finds it again.
    if (error.retry !== 'timed') job.requests.push(() => blockTable(job, table, error));
  }
}

/** Runs between two transactions: from now on rows go into the table as it is now. */
async function goOnWith(job: RunningJob, table: TableProgress, route: Route): Promise<void> {
  const isRemade = table.route.target.id !== route.target.id;
  const hasRows = table.mark.ranges.length > 0;
  const isTaken = await job.locks.with([table.id], async () => {
    const { facts, mark } = table;
    // A command, or a change at the source, came first: the next check finds what is left.
    if (table.isSkipped || !facts || table.route.source !== route.source) return false;
    if (isRemade && (hasRows || table.isCopied))
      await copyAs(job, table, { route, facts, mark: hasRows ? copiedAgain(job, mark) : mark });
    else await writeInto(job, table, route);
    return isRemade;
  });
  if (!isTaken) return;
  const then = hasRows ? 'the table is copied again' : 'rows are written to it from now on';
  job.observer.event('warning', `Another table now has the name of the target table: ${then}.`, table);
}

/** It lacks nothing: it was never copied, or only its columns have other types. */
async function writeInto(job: RunningJob, table: TableProgress, route: Route): Promise<void> {
  table.route = route;
  table.mark = { ...table.mark, target: route.target.id };
  await job.sink.write(markUpdate(job, { tables: new Map([[table.id, table.mark]]) }));
}
