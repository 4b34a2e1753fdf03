import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Mark, TableMark } from '../mark.ts';
import { listed, type Table, tableName } from '../table.ts';
import { type BegunAgain, beginAgain, fromFirstRow } from './begin-again.ts';
import { unknownMark } from './table-progress.ts';

/**
 * What is known of the tables when a full copy resumes. A target table that was recreated or emptied after chunks were
 * loaded into it lacks their rows, so it is copied from its first row; a full copy does not check it again later.
 */
export async function forgetLost(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark> {
  const files = await job.sink.files?.(routes.map(({ target }) => target.id));
  const tables = new Map(mark.tables);
  const lost: BegunAgain[] = [];
  for (const { source, target, selection } of routes) {
    const { id } = source;
    const known = tables.get(id) ?? unknownMark(job.spec, selection);
    const now = files?.get(target.id) ?? null;
    const isLost = now && known.files ? hasLost(known.files, now) : await isEmptied(job, known, target);
    // A table that was rewritten still has its rows.
    if (isLost) lost.push({ id, target, mark: { ...fromFirstRow(known), files: now } });
    tables.set(id, { ...known, files: now });
  }
  const begun = await beginAgain(job, { ...mark, tables }, lost);
  if (lost.length > 0)
    job.observer.event(
      'warning',
      `Target tables were recreated, emptied or rewritten after rows were copied into them, so they are copied from the first row: ${listed(lost.map((table) => tableName(table.target)))}.`,
    );
  return begun;
}

const hasLost = (before: readonly string[], now: readonly string[]) => before.some((file) => !now.includes(file));

/** If the target does not report files: rows were loaded into the table, and it has none. */
export async function isEmptied(job: RunningJob, { rows }: TableMark, target: Table): Promise<boolean> {
  return rows > 0 && target.key.length > 0 && (await job.sink.keys(target, null, 1)).length === 0;
}
