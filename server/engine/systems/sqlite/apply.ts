import type { Action, Missing, TableBatch } from '../../batch.ts';
import { isWhole, type Key, keyOf, type Row, UNCHANGED } from '../../change.ts';
import { inBestOrder } from '../../flow/compact.ts';
import type { Table } from '../../table.ts';
import type { Session } from './connect.ts';
import { isUniqueViolation } from './errors.ts';
import { writeOrEvict } from './evict.ts';
import { rowOf } from './rows.ts';
import { empty, remove, update, upsert } from './statements.ts';

/**
 * Applies a batch to its table within the caller's transaction.
 * @returns rows that the batch contains only in part and that the table lacks
 */
export function applyBatch(session: Session, batch: TableBatch): Missing[] {
  if (batch.truncate) empty(session, batch.table);
  session.run('SAVEPOINT compacted');
  try {
    const missing = inBestOrder(batch).flatMap((action) => act(session, batch.table, action));
    session.run('RELEASE compacted');
    return missing;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  session.run('ROLLBACK TO compacted');
  session.run('RELEASE compacted');
  const actInTurn = batch.keepsOthers ? act : actOrEvict;
  return batch.inLogOrder.flatMap((action) => actInTurn(session, batch.table, action));
}

function act(session: Session, table: Table, action: Action): Missing[] {
  switch (action.kind) {
    case 'upsert':
      upsert(session, table, action.row);
      return [];
    case 'delete':
      remove(session, table, action.key);
      return [];
    case 'update': {
      const key = keyOf(table, action.row);
      return update(session, table, key, action.row) ? [] : [{ table, key }];
    }
    case 'move':
      return move(session, table, action);
  }
}

/** The row leaves its old key; cells missing from the log come from the old row. */
function move(session: Session, table: Table, { from, row }: { from: Key; row: Row }): Missing[] {
  const old = rowOf(session, table, from);
  remove(session, table, from);
  if (!old && !isWhole(table, row)) return [{ table, key: keyOf(table, row) }];
  upsert(
    session,
    table,
    row.map((cell, column) => (cell === UNCHANGED ? (old?.[column] ?? null) : cell)),
  );
  return [];
}

/** Evicted rows are read again, as are missing rows that the log contains only in part. */
function actOrEvict(session: Session, table: Table, action: Action): Missing[] {
  if (action.kind === 'delete') return act(session, table, action);
  let missing: Missing[] = [];
  const evicted = writeOrEvict(session, table, action.row, () => {
    missing = act(session, table, action);
  });
  return [...evicted.map((key): Missing => ({ table, key, madeRoom: true })), ...missing];
}
