import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { Mark, ParkedUpdate, TableMark } from '../mark.ts';
import { decideSchema } from '../schema/decide.ts';
import { tableOfShape } from '../schema/shape.ts';
import { listed, tableName } from '../table.ts';
import { tellKept } from './kept-rows.ts';
import { afresh, hasRows } from './table-progress.ts';

/**
 * What is known of the tables when a full copy goes on. One whose columns or key the source altered since is copied from its
 * first row: rows that the target has lack the new values, and the last key that was loaded may be one of other columns.
 */
export async function forgetAltered(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark> {
  const altered = new Map<string, TableMark>();
  for (const route of routes) {
    const known = mark.tables.get(route.source.id);
    if (!known || !isAltered(job, route, known)) continue;
    // A table that a person paused stays so.
    const state = known.state === 'paused' ? known.state : 'waiting';
    tellKept(job, known, route.target);
    altered.set(route.source.id, { ...afresh(known), state, shape: null });
  }
  if (altered.size === 0) return mark;
  // Whoever begins again from the first row parks anew.
  const parked = [...altered.keys()].map((table): ParkedUpdate => ({ table, unpark: 'all', park: [] }));
  const rereads = job.rereads.filter(({ table }) => !altered.has(table));
  await job.sink.write(markUpdate(job, { tables: altered, parked, rereads }));
  job.rereads = rereads;
  const names = listed(routes.filter(({ source }) => altered.has(source.id)).map(({ source }) => tableName(source)));
  job.observer.event(
    'warning',
    `Tables have other columns, or another key, at the source than when their copy began, so they are copied from the first row: ${names}.`,
  );
  return {
    ...mark,
    tables: new Map([...mark.tables, ...altered]),
    parked: new Map([...mark.parked].filter(([id]) => !altered.has(id))),
  };
}

function isAltered({ spec }: RunningJob, route: Route, known: TableMark): boolean {
  if (known.shape === null || (known.ranges.length === 0 && !hasRows(known))) return false;
  const before = { ...route, source: tableOfShape(known.shape, route.source) };
  const decision = decideSchema({ route: before, facts: null }, { table: route.source, columns: [] }, spec.ddl);
  // Columns that the source dropped are kept as they are.
  return decision !== undefined && decision.kind !== 'go-on';
}
