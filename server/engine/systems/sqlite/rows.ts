import type { Key, Row } from '../../change.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { bound, keyCondition, readList, readRow } from './cells.ts';
import type { Session } from './connect.ts';

/** The SELECT of a table's columns up to its conditions. */
export function selectRows(table: Table): string {
  return `SELECT ${readList(table.columns.map(({ name }) => name))} FROM ${quoteName(table.name)}`;
}

/** The row of a key as it is now; undefined where there is none. */
export function rowOf(session: Session, table: Table, key: Key): Row | undefined {
  const values = session.row(`${selectRows(table)} WHERE ${keyCondition(table, key)}`, ...key.map(bound));
  return values && readRow(values);
}
