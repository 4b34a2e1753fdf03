import { type Key, keyOf, keyText, type Row, UNCHANGED } from '../../change.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { bound, keyCondition, placeholder, readKey, readList } from './cells.ts';
import type { Session } from './connect.ts';
import { isUniqueViolation } from './errors.ts';
import { remove } from './statements.ts';
import { describe } from './tables.ts';
import { holderConditions } from './unique-values.ts';

/**
 * Writes a row; if another one holds its unique value, that one is deleted first. A SQLite source reads rows as they
 * are now, so if two rows hold one value, one has changed since it was read: its change comes later, as a whole row.
 * @returns keys of the deleted rows
 */
export function writeOrEvict(session: Session, table: Table, row: Row, write: () => void): Key[] {
  session.run('SAVEPOINT one');
  try {
    write();
    session.run('RELEASE one');
    return [];
  } catch (error) {
    session.run('ROLLBACK TO one');
    session.run('RELEASE one');
    if (!isUniqueViolation(error)) throw error;
    const evicted = evictHolders(session, table, [row]);
    if (evicted.length === 0) throw error;
    write();
    return evicted;
  }
}

/** Deletes other rows that hold a unique value of one of these. @returns their keys */
export function evictHolders(session: Session, table: Table, rows: readonly Row[]): Key[] {
  const conditions = conditionsOf(session, table);
  const found = rows.flatMap((row) => holders(session, table, row, conditions));
  const evicted = [...new Map(found.map((key) => [keyText(key), key])).values()];
  for (const key of evicted) remove(session, table, key);
  return evicted;
}

/** The name of the row whose unique values others may hold; no table that a job carries has such a name. */
const told = 'millrace_told';

/** Conditions that find the rows holding a unique value of the row `told`. */
function conditionsOf(session: Session, table: Table): readonly string[] {
  const description = describe(session, table.name);
  if (!description) return [];
  const names = table.columns.map(({ name }) => name);
  return holderConditions(
    session,
    description,
    (column) => (names.includes(column) ? `(SELECT ${quoteName(column)} FROM ${told})` : 'NULL'),
    true,
  );
}

/** Keys of other rows that hold a unique value of this one. */
function holders(session: Session, table: Table, row: Row, conditions: readonly string[]): Key[] {
  if (conditions.length === 0) return [];
  const names = table.columns.map(({ name }) => name);
  const cells = row.map((cell) => (cell === UNCHANGED ? null : cell));
  const own = keyOf(table, row);
  return session
    .rows(
      `WITH ${told} (${quoteNames(names)}) AS (SELECT ${cells.map(placeholder).join(', ')})
        SELECT ${readList(keyColumns(table).map(({ name }) => name))} FROM ${quoteName(table.name)}
        WHERE (${conditions.map((condition) => `(${condition})`).join(' OR ')}) AND NOT (${keyCondition(table, own)})`,
      ...cells.map(bound),
      ...own.map(bound),
    )
    .map(readKey)
    .filter((key) => key !== null);
}
