import type { Action } from '../batch.ts';
import { type Cell, UNCHANGED } from '../change.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { Position } from '../position.ts';

/** What a transaction did to a table in one step, in log order. */
export interface Step {
  table: TableProgress;
  transaction: string;
  /** undefined: the table was truncated. */
  action: Action | undefined;
  /** The change does not say what the row becomes: it is read from the source after the batch. */
  isReread: boolean;
  /** The row has cells that are not carried yet: it is read from the source once they are. */
  isLater: boolean;
}

/** Changes on their way to the target: whole transactions, and at most one that is still incomplete. */
export class BatchBuilder {
  steps: Step[] = [];
  transactions = new Set<string>();
  /** Tables whose marks record something about these rows. */
  marked = new Set<TableProgress>();
  bytes = 0;
  /** The newest position up to which everything is in here. */
  position: Position | null = null;
  committedAt: number | null = null;

  add(
    table: TableProgress,
    transaction: string,
    action: Action | undefined,
    { isReread = false, isLater = false }: Partial<Pick<Step, 'isReread' | 'isLater'>> = {},
  ): void {
    this.steps.push({ table, transaction, action, isReread, isLater });
    this.transactions.add(transaction);
    this.bytes += action ? weighAction(action) : 64;
  }

  clear(): void {
    this.steps = [];
    this.transactions = new Set();
    this.marked = new Set();
    this.bytes = 0;
    this.position = null;
    this.committedAt = null;
  }
}

/** Approximate bytes of an action in memory, with its list entries and its key's text in a map. */
function weighAction(action: Action): number {
  const cells = action.kind === 'delete' ? action.key : action.row;
  return cells.reduce<number>((sum, cell) => sum + weighCell(cell), 256);
}

function weighCell(cell: Cell): number {
  return cell === null || cell === UNCHANGED ? 8 : 24 + cell.length;
}
