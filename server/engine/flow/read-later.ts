import { keyText } from '../change.ts';
import { EngineError } from '../errors.ts';
import { mostRereads } from '../handover/make-room.ts';
import { mayCopyAgain, withoutCopy } from '../handover/own-rows.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { keyMark, markedKey, type Reread } from '../mark.ts';
import { tableName } from '../table.ts';
import type { Step } from './batch-builder.ts';
import { keyOfAction, type Route } from './route.ts';
import type { RunningJob } from './running-job.ts';

/**
 * Whether rows of a version have cells that are not carried yet, and no copy will bring them: such rows are reread by
 * key once the column is carried.
 * @throws EngineError TABLE_CHANGED while the table is copied, since its rows are reread right after the copy, and if
 * equal keys may have different texts
 */
export function isReadLater({ spec }: RunningJob, table: TableProgress, { more = [] }: Route): boolean {
  if (more.length === 0 || spec.ddl !== 'safe' || table.isSkipped || mayCopyAgain(spec, table.mark)) return false;
  const came = `column ${more.join(', ')} was added`;
  if (table.isCopied) throw changed(table, `${came} while it was copied`);
  if (!table.route.target.exactKey) throw changed(table, came);
  return true;
}

/**
 * The rows to be reread, with those that a batch adds. Each row is listed once, with the transaction that touched it
 * last, until the stream says that it is gone: from then on its key may belong to another row at the target. Parked
 * rows are included, since they may be retried before.
 * @returns undefined if a mark would have too many
 */
export function withLater(
  rereads: readonly Reread[],
  { id, route: { target } }: TableProgress,
  steps: readonly Step[],
): readonly Reread[] | undefined {
  const isOfTable = ({ table, isLater }: Reread) => isLater === true && table === id;
  if (!steps.some(({ isLater }) => isLater) && !rereads.some(isOfTable)) return rereads;
  const later = new Map(rereads.filter(isOfTable).map((reread) => [keyText(markedKey(reread.key)), reread]));
  for (const { action, transaction, isLater } of steps) {
    if (!action) {
      later.clear();
      continue;
    }
    const key = keyOfAction(target, action);
    const text = keyText(key);
    // UNCHANGED cells of a move come from the row under its old key.
    const wasLater = action.kind === 'move' ? later.delete(keyText(action.from)) : later.has(text);
    if (action.kind === 'delete') later.delete(text);
    else if (isLater || wasLater || later.has(text))
      later.set(text, { table: id, key: keyMark(key), transactions: [transaction], isLater: true });
  }
  const all = [...rereads.filter((reread) => !isOfTable(reread)), ...later.values()];
  return all.length > mostRereads ? undefined : all;
}

/** More rows than can be reread had columns that are not carried yet. */
export function tooManyLater(table: TableProgress): EngineError {
  return changed(
    table,
    `column ${[...table.more].join(', ')} was added, and more than ${mostRereads} rows were written with it`,
  );
}

function changed({ route }: TableProgress, what: string): EngineError {
  const place = { side: 'source', table: tableName(route.source) } as const;
  return new EngineError('TABLE_CHANGED', { ...place, subject: withoutCopy(what) });
}
