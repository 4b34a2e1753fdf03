import type { JobTable } from '../../contract/jobs/jobs.ts';

/** Begins the id of a table that the source does not have, and that is only known by its name. */
const byName = 'name:';

/** The tables of a job with those that changed; a table that has come to its source or left it takes its own place. */
export function tablesAfter(known: readonly JobTable[], changed: readonly JobTable[]): JobTable[] {
  const newest = new Map(changed.map((table) => [table.id, table]));
  const sources = Map.groupBy(changed, ({ source }) => source);
  const isReplaced = ({ id, source }: JobTable) =>
    !newest.has(id) &&
    sources.get(source)?.some((table) => table.id.startsWith(byName) || id.startsWith(byName)) === true;
  const kept = known.filter((table) => !isReplaced(table)).map((table) => newest.get(table.id) ?? table);
  const ids = new Set(kept.map(({ id }) => id));
  return [...kept, ...changed.filter(({ id }) => !ids.has(id))];
}
