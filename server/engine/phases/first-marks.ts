import { factsOf, type TableFacts } from '../facts.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { isEmpty } from '../handover/own-rows.ts';
import { isTaken, unknownMark, untouchedMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import { shapeOf } from '../schema/shape.ts';
import { sameColumns } from '../table.ts';

/**
 * The mark of a table when it first takes part in a job that follows, before a row is written to it.
 * @param before its mark, if another job wrote into its target until now
 */
export async function firstMark(job: RunningJob, { target, selection }: Route, before?: TableMark): Promise<TableMark> {
  const { initialLoad, conflict } = job.spec;
  if (!initialLoad) return { ...untouchedMark, state: 'live' };
  const mark = before ? untouchedMark : unknownMark(job.spec, selection);
  // A job that replaces rows need not know.
  return { ...mark, wasEmpty: mark.wasEmpty || (conflict === 'ignore' && (await isEmpty(job, target))) };
}

/**
 * First marks of tables with their catalogue entries from before their log began: what happens from then on is in the
 * log, or changes the catalogue. It is not known yet whether their changes are in the log.
 */
export async function firstMarks(
  job: RunningJob,
  mark: Mark,
  routes: readonly Route[],
  catalog: readonly TableFacts[],
): Promise<Map<string, TableMark>> {
  const facts = new Map(catalog.map((one) => [one.table.id, one]));
  const marks = new Map<string, TableMark>();
  for (const route of routes) {
    const { source, target } = route;
    const now = facts.get(source.id);
    if (!now || !sameColumns(now.table, source)) continue;
    const known = { ...factsOf(now), continuity: '' };
    const shape = shapeOf({ route, facts: known, untold: new Set(), more: new Set(), sharesKeys: false });
    const before = mark.tables.get(source.id);
    const first = before && !isTaken(before) ? before : await firstMark(job, route, before);
    marks.set(source.id, { ...first, shape, target: target.id });
  }
  return marks;
}
