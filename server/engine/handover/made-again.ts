import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { listed, tableName } from '../table.ts';
import { isEmptied } from './lost-rows.ts';
import { mayCopyAgain } from './own-rows.ts';
import { resyncMark, untouchedMark } from './table-progress.ts';

/**
 * What is known of the tables when a job that follows goes on. One that was made again at the target since lacks the rows
 * that came before, so that it is copied again.
 */
export async function forgetMadeAgain(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark['tables']> {
  const tables = new Map(mark.tables);
  const names: string[] = [];
  for (const route of routes) {
    const { id } = route.source;
    const known = tables.get(id);
    if (!known || known.state === 'removed' || !(await isMadeAgain(job, route, known))) continue;
    names.push(tableName(route.target));
    tables.set(id, copiedAgain(job, known));
  }
  if (names.length > 0)
    job.observer.event(
      'warning',
      `Target tables were recreated or emptied after rows were written to them, so they are copied again: ${listed(names)}.`,
    );
  return tables;
}

/** What was never copied lacks nothing. Where the target tells no files, an id is no more than a name. */
async function isMadeAgain(job: RunningJob, { target }: Route, known: TableMark): Promise<boolean> {
  if (known.ranges.length === 0) return false;
  if (job.sink.files) return known.target !== null && known.target !== target.id;
  return await isEmptied(job, known, target);
}

/**
 * One that waits for a person goes on waiting, and is copied when it comes back. Rows that somebody else has put into it by
 * now stay where the job keeps those that it finds.
 */
export function copiedAgain({ spec }: RunningJob, known: TableMark): TableMark {
  const { state, code, skippedFrom, shape, resync } = known;
  const isWaiting = state === 'paused' || state === 'blocked';
  return {
    ...(resync || mayCopyAgain(spec, known) ? resyncMark() : untouchedMark),
    shape,
    ...(isWaiting && { state, code, skippedFrom }),
  };
}
