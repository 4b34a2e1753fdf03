import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { narrowerColumn } from '../schema/narrower-column.ts';
import { tableOfShape } from '../schema/shape.ts';
import type { RefusedTable } from '../selected-tables.ts';
import type { Column } from '../table.ts';

/** Leaves out tables of which the target would round, cut, convert or replace values, and reports them. */
export function leaveNarrower(
  job: RunningJob,
  mark: Mark,
  routes: readonly Route[],
): { fitting: Route[]; refused: RefusedTable[] } {
  const fitting: Route[] = [];
  const refused: RefusedTable[] = [];
  for (const route of routes) {
    const error = narrowerColumn(job, route, isMeantAtStart(job, route, mark.tables.get(route.source.id)));
    if (error) refused.push({ selection: route.selection, id: route.source.id, error });
    else fitting.push(route);
  }
  if (refused.length > 0) job.observer.refused?.(refused);
  return { fitting, refused };
}

function isMeantAtStart({ spec }: RunningJob, { source }: Route, known: TableMark | undefined) {
  // A column that the source altered since the table was carried is followed first, which may widen the target column.
  const isFollowed = spec.type === 'SYNC' && known?.code !== 'TYPE_NARROWER';
  const before = isFollowed && known?.shape ? tableOfShape(known.shape, source).columns : source.columns;
  const columnBefore = new Map(before.map((column) => [column.name, column]));
  return ({ name, type, generated }: Column) => {
    const one = columnBefore.get(name);
    return one?.type === type && one.generated === generated;
  };
}
