import type { Action, Missing, TableBatch } from '../../batch.ts';
import { isWhole, type Key, keyOf, type Row, UNCHANGED } from '../../change.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { bound, keyCondition, placeholder, readKey, readList } from './cells.ts';
import type { Session } from './connect.ts';
import { isUniqueViolation } from './errors.ts';
import { rowOf } from './rows.ts';
import { empty, remove, update, upsert } from './statements.ts';
import { describe } from './tables.ts';
import { holderConditions } from './unique-values.ts';

/**
 * Brings a batch to its table within the caller's transaction.
 * @returns rows that it spoke of in part and that the table lacks
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
  return batch.inLogOrder.flatMap((action) => actOrEvict(session, batch.table, action));
}

/** Deletes first, then updates, so that a unique value is free before another row takes it; as told where order matters. */
function inBestOrder({ table, actions, inLogOrder }: TableBatch): readonly Action[] {
  if (actions === inLogOrder || !table.exactKey || actions.some(({ kind }) => kind === 'move')) return actions;
  const order = ['delete', 'update', 'upsert'];
  return actions.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
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

/** The row leaves its old key; cells that are not told come from there. */
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

/**
 * The rows of a SQLite source are those of now, so one may have its new unique value while the row that had it before is
 * told later: that one leaves the table, and is read again.
 */
function actOrEvict(session: Session, table: Table, action: Action): Missing[] {
  session.run('SAVEPOINT one');
  try {
    const missing = act(session, table, action);
    session.run('RELEASE one');
    return missing;
  } catch (error) {
    if (!isUniqueViolation(error) || action.kind === 'delete') throw error;
    session.run('ROLLBACK TO one');
    session.run('RELEASE one');
    const evicted = holders(session, table, action.row);
    if (evicted.length === 0) throw error;
    for (const key of evicted) remove(session, table, key);
    return [...evicted.map((key) => ({ table, key })), ...act(session, table, action)];
  }
}

/** Keys of other rows that hold a unique value of this one. */
function holders(session: Session, table: Table, row: Row): Key[] {
  const description = describe(session, table.name);
  if (!description) return [];
  const names = table.columns.map(({ name }) => name);
  const conditions = holderConditions(session, description, (column) =>
    names.includes(column) ? `(SELECT ${quoteName(column)} FROM told)` : 'NULL',
  );
  const cells = row.map((cell) => (cell === UNCHANGED ? null : cell));
  const own = keyOf(table, row);
  return session
    .rows(
      `WITH told (${quoteNames(names)}) AS (SELECT ${cells.map(placeholder).join(', ')})
        SELECT ${readList(keyColumns(table).map(({ name }) => name))} FROM ${quoteName(table.name)}
        WHERE (${conditions.map((condition) => `(${condition})`).join(' OR ')}) AND NOT (${keyCondition(table, own)})`,
      ...cells.map(bound),
      ...own.map(bound),
    )
    .map(readKey)
    .filter((key) => key !== null);
}
