import { EngineError } from '../errors.ts';
import { mostRereads } from '../handover/make-room.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { Reread } from '../mark.ts';
import { tableName } from '../table.ts';
import type { Route } from './route.ts';
import type { RunningJob } from './running-job.ts';

/**
 * Whether rows of a version have cells that are not carried yet, and no copy will bring them: such rows are read again by
 * their keys once the column is carried.
 * @throws EngineError TABLE_CHANGED while the table is copied, since its rows are read again right behind the copy
 */
export function isReadLater({ spec }: RunningJob, table: TableProgress, { more = [] }: Route): boolean {
  if (more.length === 0 || spec.ddl !== 'safe' || table.isSkipped || mayCopyAgain(spec, table.mark)) return false;
  if (table.isCopied) throw changed(table, `column ${more.join(', ')} came while it was copied`);
  return true;
}

/** What is to be read again with what a batch adds to it, each row once; undefined where a mark would have too many. */
export function withLater(rereads: readonly Reread[], later: readonly Reread[]): readonly Reread[] | undefined {
  if (later.length === 0) return rereads;
  const again = new Set(later.map(rowOf));
  const all = [...rereads.filter((reread) => !again.has(rowOf(reread))), ...later];
  return all.length > mostRereads ? undefined : all;
}

const rowOf = ({ table, key }: Reread) => JSON.stringify([table, key]);

/** More rows than can be read again had columns that are not carried yet. */
export function tooManyLater(table: TableProgress): EngineError {
  return changed(table, `column ${[...table.more].join(', ')} came, and more than ${mostRereads} rows with it`);
}

function changed({ route }: TableProgress, what: string): EngineError {
  const subject = `${what}, and this job copies no rows again by itself`;
  return new EngineError('TABLE_CHANGED', { side: 'source', table: tableName(route.source), subject });
}
