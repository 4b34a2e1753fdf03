import type { Action } from '../batch.ts';
import { type Key, keyText } from '../change.ts';
import type { ParkedRows } from '../handover/parked-rows.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { Table } from '../table.ts';
import type { Step } from './batch-builder.ts';
import { keyOfAction } from './route.ts';

/** Parked keys, by `keyText`. */
interface ParkedKeys {
  has(key: string): boolean;
  delete(key: string): unknown;
}

/** What is left of an action if keys are parked. */
interface Absorbed {
  actions: readonly Action[];
  /** The new key of a parked row that changed its key: its UNCHANGED cells are nowhere at the target. */
  reread?: Key;
}

/**
 * A parked key absorbs its changes, since the target row is not the one that the action means. A delete unparks it. A
 * key change deletes the old row and leaves the new key to the row that holds it, or to be read from the source.
 */
export function absorb(table: Table, action: Action, parked: ParkedKeys): Absorbed {
  const key = keyOfAction(table, action);
  const isParked = parked.has(keyText(key));
  if (action.kind === 'delete') {
    parked.delete(keyText(key));
    return { actions: [action] };
  }
  if (action.kind !== 'move') return { actions: isParked ? [] : [action] };
  const from = { kind: 'delete', key: action.from } as const;
  const stays = keyText(action.from) === keyText(key);
  if (stays) return { actions: isParked ? [] : [action] };
  const wasParked = parked.has(keyText(action.from));
  parked.delete(keyText(action.from));
  if (isParked) return { actions: [from] };
  return wasParked ? { actions: [from], reread: key } : { actions: [action] };
}

/** What parked rows leave of a table's changes. */
interface LeftChanges {
  steps: Step[];
  /** New keys of rows that were parked under their old one. */
  rereads: Key[];
  /** Rows that are still parked afterwards. */
  parked: ParkedRows;
}

/** The changes of a batch that go to the target; a truncate unparks every row. */
export function absorbParked(table: TableProgress, steps: Step[]): LeftChanges {
  const { route, parked: before } = table;
  if (before.size === 0) return { steps, rereads: [], parked: before };
  const parked = new Map(before);
  const rereads: Key[] = [];
  const left = steps.flatMap((step): Step[] => {
    if (!step.action) {
      parked.clear();
      return [step];
    }
    const { actions, reread } = absorb(route.target, step.action, parked);
    if (reread) rereads.push(reread);
    return actions.map((action) => ({ ...step, action }));
  });
  return { steps: left, rereads, parked };
}
