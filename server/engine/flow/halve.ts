import type { Action, Met, Missing, Parks, Refused, TableBatch } from '../batch.ts';
import { keyOf, keyText, type Row } from '../change.ts';
import { EngineError, isUniqueRefused } from '../errors.ts';
import { mostParked } from '../handover/parked.ts';
import type { Load } from '../sink.ts';
import { tableName } from '../table.ts';
import { absorb } from './absorb.ts';
import { inBestOrder } from './compact.ts';
import { keyOfAction } from './route.ts';

/**
 * How refused rows are found within a target transaction: a sink tries each yielded part so that it can be undone on
 * its own, and gives back the result: the error of a row, or the missing rows.
 */
type Tries<Part, Result> = Generator<Part, Result, EngineError | readonly Missing[]>;

const isError = (answer: EngineError | readonly Missing[]): answer is EngineError => !Array.isArray(answer);

/**
 * Applies a batch, leaving out the rows that the target refuses. The sink truncates before this.
 * @throws the error of a row that must not be left out, or TOO_MANY_ROWS_REFUSED
 */
export function* applyInParts(batch: TableBatch): Tries<TableBatch, Met> {
  let answer = yield batch;
  if (!isError(answer)) return { missing: answer, refused: [] };
  // Best order frees values that a table holds too early, before others take them; a live table needs log order.
  let order = batch.parks === 'everything' ? batch.inLogOrder : inBestOrder(batch);
  if (isUniqueRefused(answer)) {
    order = batch.inLogOrder;
    answer = yield inOrder(batch, order);
    if (!isError(answer)) return { missing: answer, refused: [] };
  }
  const halving = new Halving(batch, order);
  yield* halving.run(order, answer);
  return halving;
}

/**
 * Writes the rows of a chunk, leaving out those that the target refuses, until there are more than may be parked.
 * @throws like `applyInParts`
 */
export function* loadInParts(
  load: Pick<Load, 'table' | 'parks'>,
  rows: readonly Row[],
): Tries<readonly Row[], Refused[]> {
  const [row] = rows;
  if (!row) return [];
  const answer = yield rows;
  if (!isError(answer)) return [];
  throwUnlessParked(answer, load.parks);
  const { table } = load;
  if (rows.length === 1) return [{ table, key: keyOf(table, row), op: 'copy', error: answer }];
  const refused: Refused[] = [];
  for (const half of halves(rows)) {
    refused.push(...(yield* loadInParts(load, half)));
    // Their table will be blocked: finding the others would cost the target several statements for each.
    if (refused.length > mostParked) break;
  }
  return refused;
}

class Halving implements Met {
  readonly missing: Missing[] = [];
  readonly #batch: TableBatch;
  readonly #refused = new Map<string, Refused>();
  /** Keys whose rows the batch deletes or moves: a refused one need not stay refused. */
  readonly #freed: ReadonlySet<string>;
  /** Refused rows that stay refused. */
  #lasting = 0;

  constructor(batch: TableBatch, order: readonly Action[]) {
    this.#batch = batch;
    this.#freed = new Set(
      order.flatMap((action) => {
        if (action.kind === 'delete') return [keyText(action.key)];
        return action.kind === 'move' ? [keyText(action.from)] : [];
      }),
    );
  }

  get refused(): Refused[] {
    return [...this.#refused.values()];
  }

  /** @param refusal the error of these actions as a whole, if known */
  *run(actions: readonly Action[], refusal?: EngineError): Tries<TableBatch, void> {
    const left = actions.flatMap((action) => this.#unparked(action));
    if (left.length === 0) return;
    const answer = refusal ?? (yield inOrder(this.#batch, left));
    if (!isError(answer)) {
      this.missing.push(...answer);
      return;
    }
    throwUnlessParked(answer, this.#batch.parks);
    const [action] = left;
    if (left.length === 1 && action) yield* this.#park(action, answer);
    else for (const half of halves(left)) yield* this.run(half);
  }

  #unparked(action: Action): readonly Action[] {
    const { table } = this.#batch;
    const { actions, reread } = absorb(table, action, this.#refused);
    if (reread) this.missing.push({ table, key: reread });
    return actions;
  }

  *#park(action: Action, error: EngineError): Tries<TableBatch, void> {
    const { table } = this.#batch;
    // The target has no row with a key that it cannot store.
    if (action.kind === 'delete' && error.code === 'ENCODING_REFUSED') return;
    if (action.kind === 'move') {
      // No row has the old key any more.
      const answer = yield inOrder(this.#batch, [{ kind: 'delete', key: action.from }]);
      if (isError(answer)) throw answer;
    }
    const key = keyOfAction(table, action);
    this.#refused.set(keyText(key), { table, key, op: action.kind, error });
    if (!this.#freed.has(keyText(key))) this.#lasting++;
    const { mostRefused = Number.POSITIVE_INFINITY } = this.#batch;
    // Finding the others would cost the target several statements for each.
    if (this.#lasting > mostRefused)
      throw new EngineError('TOO_MANY_ROWS_REFUSED', { ...error.place, table: tableName(table) });
  }
}

function inOrder({ table, keepsOthers }: TableBatch, actions: readonly Action[]): TableBatch {
  return { table, truncate: false, actions, inLogOrder: actions, ...(keepsOthers && { keepsOthers }) };
}

function halves<Item>(items: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function throwUnlessParked(error: EngineError, parks: Parks | undefined): void {
  if (!parks || (parks === 'values' && isUniqueRefused(error))) throw error;
}
