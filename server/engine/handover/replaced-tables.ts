import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { Mark, ParkedUpdate, TableMark } from '../mark.ts';
import { knownNames } from '../schema/known-names.ts';
import { listed, tableName } from '../table.ts';
import { beginAgain, fromFirstRow } from './begin-again.ts';
import { untouchedMark } from './table-progress.ts';

/** A table whose name belonged to another table when its copy began. */
interface Replacing {
  route: Route;
  /** The table that had the name; undefined if the name is new to the job but the table is not. */
  former: string | undefined;
  /** What is known of the rows that the target has under that name. */
  before: TableMark;
}

/**
 * What is known of the tables when a full copy resumes. If a table was dropped and recreated, or tables swapped names,
 * the target rows under a name belong to another table, so the table that now has the name is copied from its first
 * row.
 */
export async function forgetReplaced(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark> {
  const replacing = findReplacing(mark, routes);
  if (replacing.length === 0) return mark;
  const again = replacing.map(({ route: { source, target }, before }) => ({
    id: source.id,
    target,
    mark: { ...fromFirstRow(before), shape: null },
  }));
  // Whether indistinguishable rows stay depends on the former table.
  const before = new Map(replacing.map(({ route, before }) => [route.source.id, before]));
  const begun = await beginAgain(job, { ...mark, tables: new Map([...mark.tables, ...before]) }, again);
  job.observer.event(
    'warning',
    `At the source, these names belong to other tables than when their copy began, so the tables are copied from the first row: ${listed(replacing.map(({ route }) => tableName(route.source)))}.`,
  );
  return await leaveFormer(job, begun, replacing);
}

function findReplacing({ tables }: Mark, routes: readonly Route[]): Replacing[] {
  const names = knownNames(tables);
  const holders = new Map([...names].map(([id, name]) => [name, id]));
  return routes.flatMap((route): Replacing[] => {
    const { id } = route.source;
    const name = tableName(route.source);
    const former = holders.get(name);
    if (former === id || (former === undefined && !names.has(id))) return [];
    const before = former === undefined ? undefined : tables.get(former);
    return [{ route, former, before: before ?? untouchedMark }];
  });
}

/** Marks tables that lost their names as removed: people see it, and later processes do not confuse them. */
async function leaveFormer(job: RunningJob, mark: Mark, replacing: readonly Replacing[]): Promise<Mark> {
  const carried = new Set(replacing.map(({ route }) => route.source.id));
  const left = replacing.flatMap(({ route, former, before }) =>
    former === undefined || carried.has(former) ? [] : [{ id: former, route, before }],
  );
  if (left.length === 0) return mark;
  const tables = new Map(left.map(({ id, before }) => [id, { ...before, state: 'removed' } as const]));
  const parked = left.map(({ id }): ParkedUpdate => ({ table: id, unpark: 'all', park: [] }));
  await job.sink.write(markUpdate(job, { tables, parked }));
  job.observer.replaced?.(left);
  return { ...mark, tables: new Map([...mark.tables, ...tables]) };
}
