import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { decideSchema } from '../schema/decide.ts';
import { tableOfShape } from '../schema/shape.ts';
import { listed, tableName } from '../table.ts';
import { beginAgain, fromFirstRow } from './begin-again.ts';
import { hasRows } from './table-progress.ts';

/**
 * What is known of the tables when a full copy resumes. A table whose columns or key the source has since altered is
 * copied from its first row: rows at the target lack the new values, and the last loaded key may be of other columns.
 */
export async function forgetAltered(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark> {
  const altered = routes.flatMap((route) => {
    const { id } = route.source;
    const known = mark.tables.get(id);
    if (!known || !isAltered(job, route, known)) return [];
    return [{ id, route, target: route.target, mark: { ...fromFirstRow(known), shape: null } }];
  });
  const begun = await beginAgain(job, mark, altered);
  if (altered.length > 0)
    job.observer.event(
      'warning',
      `Tables have different columns or a different key at the source than when their copy began, so they are copied from the first row: ${listed(altered.map(({ route }) => tableName(route.source)))}.`,
    );
  return begun;
}

function isAltered({ spec }: RunningJob, route: Route, known: TableMark): boolean {
  if (known.shape === null || (known.ranges.length === 0 && !hasRows(known))) return false;
  const before = { ...route, source: tableOfShape(known.shape, route.source) };
  const decision = decideSchema({ route: before, facts: null }, { table: route.source, columns: [] }, spec.ddl);
  // Columns that the source dropped are kept as they are.
  return decision !== undefined && decision.kind !== 'go-on';
}
