import type { Action, Parks, TableBatch } from '../batch.ts';
import { keyText } from '../change.ts';
import type { Table } from '../table.ts';
import { keyOfAction, mergeRows } from './route.ts';

/** What the stream delivered for one table within a batch, in log order. */
export interface TableChanges {
  target: Table;
  truncate: boolean;
  actions: Action[];
  parks?: Parks;
  mostRefused?: number;
  keepsOthers?: true;
}

/**
 * Reduces the actions to one a key. A move with UNCHANGED cells needs the rows before it as they were, an update of a
 * row that left its table's filter earlier must find it gone, and keys whose equality is not that of their text may be
 * the same row: such batches keep log order.
 */
export function compact({ target: table, actions, ...kept }: TableChanges): TableBatch {
  const batch = { ...kept, table, inLogOrder: actions };
  const asTold: TableBatch = { ...batch, actions };
  if (!table.exactKey || actions.some(({ kind }) => kind === 'move')) return asTold;
  const byKey = new Map<string, Action>();
  for (const action of actions) {
    const key = keyText(keyOfAction(table, action));
    const earlier = byKey.get(key);
    if (earlier?.kind === 'delete' && action.kind === 'update') return asTold;
    byKey.set(key, follow(earlier, action));
  }
  return { ...batch, actions: [...byKey.values()] };
}

/** Deletes first, then updates, so a unique value is free before another row takes it; log order if order matters. */
export function inBestOrder({ table, actions, inLogOrder }: TableBatch): readonly Action[] {
  if (actions === inLogOrder || !table.exactKey || actions.some(({ kind }) => kind === 'move')) return actions;
  const order = ['delete', 'update', 'upsert'];
  return actions.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

function follow(earlier: Action | undefined, action: Action): Action {
  if (action.kind !== 'update' || !earlier || earlier.kind === 'delete') return action;
  return { ...earlier, row: mergeRows(earlier.row, action.row) };
}
