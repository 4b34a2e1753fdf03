import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { resyncMark } from './table-progress.ts';

/**
 * What is known of the tables when a process begins. At the first start of a replay each table becomes a resync, since
 * the target has rows of the run before: they may be old, or gone from the source.
 */
export async function knownTables(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark['tables']> {
  const { spec } = job;
  const isFirst = mark.position === null && mark.tables.size === 0;
  const copies = spec.type === 'MIGRATION' || spec.initialLoad;
  if (!spec.replays || !copies || !isFirst) return mark.tables;
  const tables = new Map(routes.map(({ source }): [string, TableMark] => [source.id, resyncMark()]));
  await job.sink.write(markUpdate(job, { tables }));
  return tables;
}
