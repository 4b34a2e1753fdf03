import { factsOf, type TableFacts } from '../facts.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { untouchedMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import { shapeOf } from '../schema/shape.ts';
import { sameColumns } from '../table.ts';

/** What a table of a job that follows has at its first start. */
export function firstMark({ spec }: RunningJob): TableMark {
  return spec.initialLoad ? untouchedMark : { ...untouchedMark, state: 'live' };
}

/**
 * First marks of tables with what the catalogue said of them before their log began: what happens from then on is in the
 * log, or makes the catalogue another. Whether their changes are told is not known yet.
 */
export function firstMarks(
  job: RunningJob,
  mark: Mark,
  routes: readonly Route[],
  catalog: readonly TableFacts[],
): Map<string, TableMark> {
  const facts = new Map(catalog.map((one) => [one.table.id, one]));
  return new Map(
    routes.flatMap((route): [string, TableMark][] => {
      const { source, target } = route;
      const now = facts.get(source.id);
      if (!now || !sameColumns(now.table, source)) return [];
      const shape = shapeOf(route, { ...factsOf(now), continuity: '' }, new Set());
      return [[source.id, { ...(mark.tables.get(source.id) ?? firstMark(job)), shape, target: target.id }]];
    }),
  );
}
