import { EngineError } from '../errors.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { tableOfShape } from '../schema/shape.ts';
import type { RefusedTable } from '../selected-tables.ts';
import { type Column, tableName } from '../table.ts';

/** Leaves tables out, and tells so, of which the target would round or cut values. */
export function leaveNarrower(
  job: RunningJob,
  mark: Mark,
  routes: readonly Route[],
): { fitting: Route[]; refused: RefusedTable[] } {
  const fitting: Route[] = [];
  const refused: RefusedTable[] = [];
  for (const route of routes) {
    const column = narrowerColumn(job, route, mark.tables.get(route.source.id));
    if (!column) fitting.push(route);
    else {
      const place = { side: 'target', table: tableName(route.target), column: column.name } as const;
      refused.push({
        selection: route.selection,
        id: route.source.id,
        error: new EngineError('TYPE_NARROWER', place),
      });
    }
  }
  if (refused.length > 0) job.observer.refused?.(refused);
  return { fitting, refused };
}

function narrowerColumn({ sink, spec }: RunningJob, route: Route, known: TableMark | undefined): Column | undefined {
  const { source, target, places } = route;
  // A type that the source changed since the table was carried is followed first, which may widen the target's.
  const isFollowed = spec.type === 'SYNC' && known?.code !== 'TYPE_NARROWER';
  const before = isFollowed && known?.shape ? tableOfShape(known.shape, source).columns : source.columns;
  const typeBefore = new Map(before.map(({ name, type }) => [name, type]));
  return target.columns.find((to, place) => {
    const from = source.columns[places[place] ?? -1];
    return from && typeBefore.get(from.name) === from.type && sink.roundsOrCuts?.(from, to);
  });
}
