import type { Action } from '../batch.ts';
import { type Key, keyText, type Row, UNCHANGED } from '../change.ts';
import { keyOfAction, mergeRows } from '../flow/route.ts';
import type { Table } from '../table.ts';

/** What an applied change left under a key: a whole row, no row, or some cells of a row. */
interface Touch {
  transaction: string;
  key: Key;
  left: 'whole' | 'gone' | { cells: Row };
}

/** The part of a chunk that goes into the target. */
export interface Settled {
  rows: Row[];
  /** Keys of which the target has a newer row than the chunk: a resync must not delete them. */
  keep: Key[];
}

/** How many bytes the touched keys of a table may take before its chunks are read again instead. */
const maxBytes = 16 * 2 ** 20;

/**
 * Keys of a table that changes were applied to while its rows are copied. A chunk whose snapshot did not see such a
 * change holds an older row than the target: that row is left out, or completed with the cells of the change.
 */
export class Touched {
  readonly #table: Table;
  readonly #byKey = new Map<string, Touch[]>();
  #bytes = 0;
  readonly #mustSee = new Set<string>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Records what an action does, before it is applied. */
  note(transaction: string, action: Action): void {
    if (action.kind === 'move') this.#add({ transaction, key: action.from, left: 'gone' });
    const key = keyOfAction(this.#table, action);
    if (action.kind === 'update') this.#add({ transaction, key, left: { cells: action.row } });
    // A move that finds no old row is read from the source at once, so the target has the whole row in either case.
    else this.#add({ transaction, key, left: action.kind === 'delete' ? 'gone' : 'whole' });
  }

  /** Only chunks that see this transaction count: it touched every key, or unknown ones. */
  mustSee(transaction: string): void {
    this.#mustSee.add(transaction);
  }

  /** Keys that a chunk may have older than the target; undefined if unknown, or if the chunk must be read again. */
  unseenKeys(sees: (transaction: string) => boolean): Key[] | undefined {
    for (const transaction of this.#mustSee) if (!sees(transaction)) return undefined;
    const unseen = [...this.#unseen(sees).values()].flatMap(([touch]) => (touch ? [touch.key] : []));
    return this.#table.exactKey || unseen.length === 0 ? unseen : undefined;
  }

  /** @returns undefined if the chunk must be read again */
  settle(rows: readonly Row[], sees: (transaction: string) => boolean): Settled | undefined {
    for (const transaction of this.#mustSee) if (!sees(transaction)) return undefined;
    const settled: Settled = { rows: [], keep: [] };
    const unseen = this.#unseen(sees);
    // Equal keys may have different texts, so a touch cannot be assigned to a row.
    if (!this.#table.exactKey && unseen.size > 0) return undefined;
    for (const row of rows) {
      const touches = unseen.get(keyText(this.#table.key.map((column) => textOrBytes(row[column]))));
      const left = touches ? touches.reduce<Row | undefined>(leave, row) : row;
      if (left) settled.rows.push(left);
    }
    for (const touches of unseen.values()) {
      const last = touches.at(-1);
      if (last && last.left !== 'gone') settled.keep.push(last.key);
    }
    return settled;
  }

  /** Forgets what every later chunk sees. */
  forget(sees: (transaction: string) => boolean): void {
    for (const [key, touches] of this.#byKey) {
      const left = touches.filter(({ transaction }) => !sees(transaction));
      if (left.length === touches.length) continue;
      for (const touch of touches) if (!left.includes(touch)) this.#bytes -= weigh(key, touch);
      if (left.length > 0) this.#byKey.set(key, left);
      else this.#byKey.delete(key);
    }
    for (const transaction of this.#mustSee) if (sees(transaction)) this.#mustSee.delete(transaction);
  }

  clear(): void {
    this.#byKey.clear();
    this.#mustSee.clear();
    this.#bytes = 0;
  }

  #add(touch: Touch): void {
    const key = keyText(touch.key);
    const known = this.#byKey.get(key);
    if (known) known.push(touch);
    else this.#byKey.set(key, [touch]);
    this.#bytes += weigh(key, touch);
    if (this.#bytes <= maxBytes) return;
    for (const touches of this.#byKey.values()) for (const { transaction } of touches) this.#mustSee.add(transaction);
    this.#byKey.clear();
    this.#bytes = 0;
  }

  #unseen(sees: (transaction: string) => boolean): Map<string, Touch[]> {
    const answers = new Map<string, boolean>();
    const seen = (transaction: string) => {
      const known = answers.get(transaction) ?? sees(transaction);
      answers.set(transaction, known);
      return known;
    };
    const unseen = new Map<string, Touch[]>();
    for (const [key, touches] of this.#byKey) {
      const left = touches.filter(({ transaction }) => !seen(transaction));
      if (left.length > 0) unseen.set(key, left);
    }
    return unseen;
  }
}

/** The chunk's row after one more change that it did not see; undefined if the target has it already, or it is gone. */
function leave(row: Row | undefined, { left }: Touch): Row | undefined {
  return row && typeof left === 'object' ? mergeRows(row, left.cells) : undefined;
}

function textOrBytes(cell: Row[number] | undefined): string | Uint8Array {
  return typeof cell === 'string' || cell instanceof Uint8Array ? cell : '';
}

/** Approximate bytes that a touch takes in memory. */
function weigh(key: string, { left }: Touch): number {
  if (typeof left !== 'object') return 100 + key.length;
  return left.cells.reduce<number>(
    (sum, cell) => sum + (cell === null || cell === UNCHANGED ? 8 : cell.length),
    key.length,
  );
}
