import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { listed, tableName } from '../table.ts';
import { isEmptied } from './lost-rows.ts';
import { mayCopyAgain } from './own-rows.ts';
import { resyncMark, untouchedMark } from './table-progress.ts';

/**
 * What is known of the tables when a job that follows resumes. A target table that has since been recreated lacks the
 * earlier rows, so it is copied again.
 */
export async function forgetRecreated(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark['tables']> {
  const tables = new Map(mark.tables);
  const names: string[] = [];
  for (const route of routes) {
    const { id } = route.source;
    const known = tables.get(id);
    if (!known || known.state === 'removed' || !(await isRecreated(job, route, known))) continue;
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

/** A table that was never copied lacks nothing. If the target does not report files, an id is no more than a name. */
async function isRecreated(job: RunningJob, { target }: Route, known: TableMark): Promise<boolean> {
  if (known.ranges.length === 0) return false;
  if (job.sink.files) return known.target !== null && known.target !== target.id;
  return await isEmptied(job, known, target);
}

/**
 * A table that waits for an operator keeps waiting, and is copied when it is resumed. Rows that others have put into it
 * meanwhile stay if the job keeps rows that it finds.
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
