import type { TableBatch } from '../batch.ts';
import { type Key, keyText } from '../change.ts';
import { mostParked } from '../handover/parked.ts';
import type { ParkedRows } from '../handover/parked-rows.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { keyMark, type Reread } from '../mark.ts';
import type { Position } from '../position.ts';
import { absorbParked } from './absorb.ts';
import type { Step } from './batch-builder.ts';
import { compact, type TableChanges } from './compact.ts';
import { keyOfAction } from './route.ts';

/** What a batch does to one table. */
export interface TablePart {
  /** Empty if parked keys have absorbed all changes. */
  batches: TableBatch[];
  /** Rows that are reread, whatever the target lacks. */
  rereads: Reread[];
  /** Rows that are still parked afterwards. */
  parked: ParkedRows;
}

/** The changes of one table, ready for the target. */
export function partOf(table: TableProgress, steps: Step[], position: Position | null, mayPark: boolean): TablePart {
  const { steps: left, rereads, parked } = absorbParked(table, steps);
  const changes: TableChanges = {
    target: table.route.target,
    truncate: false,
    actions: [],
    ...(mayPark && table.parks),
    // Rows refused for those read ahead are reread.
    ...(mayPark && !table.isReadAhead(position) && !table.holdsOthers && { mostRefused: mostParked }),
    ...(table.holdsOthers && { keepsOthers: true }),
  };
  for (const step of left) {
    const { action } = step;
    if (!action) {
      // It discards what the batch did to the table before.
      changes.truncate = true;
      changes.actions = [];
    } else if (isReread(table, step, position)) {
      if (action.kind === 'move') changes.actions.push({ kind: 'delete', key: action.from });
      rereads.push(keyOfAction(table.route.target, action));
    } else changes.actions.push(action);
  }
  return {
    batches: left.length === 0 ? [] : [compact(changes)],
    rereads: rereads.map((key) => rereadOf(table, key, steps)),
    parked,
  };
}

/**
 * Whether a row is read from the source instead of being written as delivered. That is a row with a new key and
 * UNCHANGED cells, if the target may have a newer row under the old key from a chunk or a retry, so its cells cannot
 * come from there; and a row with UNCHANGED cells that meets a filter, since a chunk may have left out its older form.
 */
function isReread(table: TableProgress, { action, isReread }: Step, position: Position | null): boolean {
  if (isReread || !action) return isReread;
  if (action.kind === 'move') return table.isAheadOf(position, action.from);
  return action.kind === 'update' && table.mark.state !== 'live' && table.route.selection.filter !== null;
}

/** Everything in this batch that touched the row must be visible, so that nothing older comes back. */
export function rereadOf(table: TableProgress, key: Key, steps: readonly Step[]): Reread {
  const { target } = table.route;
  const text = keyText(key);
  const touching = steps.filter(({ action }) => {
    // Equal keys may have different texts.
    if (!action || !target.exactKey) return true;
    return keyText(keyOfAction(target, action)) === text || (action.kind === 'move' && keyText(action.from) === text);
  });
  const transactions = [...new Set(touching.map(({ transaction }) => transaction))];
  // Transactions that touch one row become visible one after the other.
  return { table: table.id, key: keyMark(key), transactions: target.exactKey ? transactions.slice(-1) : transactions };
}

/** Records the keys of changes to a table that is being copied, before they are applied. */
export function noteTouched(table: TableProgress, steps: readonly Step[], position: Position | null): void {
  for (const step of steps) {
    const { transaction, action } = step;
    if (!action) table.touched.mustSee(transaction);
    // A reread row is whole, and newer than any chunk that did not see it.
    else if (action.kind === 'update' && isReread(table, step, position))
      table.touched.note(transaction, { kind: 'upsert', row: action.row });
    else table.touched.note(transaction, action);
  }
}
