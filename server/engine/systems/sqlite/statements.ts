import type { Key, Row } from '../../change.ts';
import { keyColumns, told, writable } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { bound, keyCondition, placeholder } from './cells.ts';
import type { Session } from './connect.ts';

/** Statements on single rows; OR ABORT, since a constraint's own conflict clause could drop or replace rows. */

/**
 * Inserts a row; an existing one with the same key is replaced or kept. The alias is for a table named `excluded`,
 * whose own cells its name would mean.
 */
export function upsert(session: Session, table: Table, row: Row, conflict: 'replace' | 'ignore' = 'replace'): void {
  const places = told(table, row);
  const columns = quoteNames(places.map(({ column }) => column.name));
  const values = places.map(({ index }) => placeholder(row[index])).join(', ');
  const set = places.map(({ column }) => `${quoteName(column.name)} = excluded.${quoteName(column.name)}`).join(', ');
  const key = quoteNames(keyColumns(table).map(({ name }) => name));
  const action = conflict === 'ignore' ? 'NOTHING' : `UPDATE SET ${set}`;
  session.run(
    `INSERT OR ABORT INTO ${quoteName(table.name)} AS own (${columns}) VALUES (${values}) ON CONFLICT (${key}) DO ${action}`,
    ...places.map(({ index }) => bound(row[index])),
  );
}

/** Inserts a row into a table without a key. */
export function insert(session: Session, table: Table, row: Row): void {
  const places = writable(table);
  session.run(
    `INSERT OR ABORT INTO ${quoteName(table.name)} (${quoteNames(places.map(({ column }) => column.name))})
      VALUES (${places.map(({ index }) => placeholder(row[index])).join(', ')})`,
    ...places.map(({ index }) => bound(row[index])),
  );
}

/** Writes the cells that a row contains to the row with a key. @returns whether there was one */
export function update(session: Session, table: Table, key: Key, row: Row): boolean {
  const places = told(table, row);
  const set = places.map(({ column, index }) => `${quoteName(column.name)} = ${placeholder(row[index])}`).join(', ');
  return (
    session.run(
      `UPDATE OR ABORT ${quoteName(table.name)} SET ${set} WHERE ${keyCondition(table, key)}`,
      ...places.map(({ index }) => bound(row[index])),
      ...key.map(bound),
    ) > 0
  );
}

export function remove(session: Session, table: Table, key: Key): void {
  session.run(`DELETE FROM ${quoteName(table.name)} WHERE ${keyCondition(table, key)}`, ...key.map(bound));
}

/** Deletes every row. */
export function empty(session: Session, table: Table): void {
  session.run(`DELETE FROM ${quoteName(table.name)}`);
}

export function isEmpty(session: Session, table: Table): boolean {
  return session.row(`SELECT 1 FROM ${quoteName(table.name)} LIMIT 1`) === undefined;
}
