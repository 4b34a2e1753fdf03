import { type Key, type Row, UNCHANGED } from '../../change.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { bound, keyCondition, readList, readRow } from './cells.ts';
import type { Session } from './connect.ts';
import { inParentheses } from './filter.ts';

/** The SELECT for a table's columns, without conditions. */
export function selectRows(table: Table): string {
  return `SELECT ${readList(table.columns.map(({ name }) => name))} FROM ${quoteName(table.name)}`;
}

/** The present row with a key; undefined if there is none, or it does not meet the filter. */
export function rowOf(session: Session, table: Table, key: Key, filter: string | null = null): Row | undefined {
  return read(session, selectRows(table), table, key, filter);
}

/** The same without reading the row: all its other cells are UNCHANGED. */
export function keyRowOf(session: Session, table: Table, key: Key, filter: string | null): Row | undefined {
  const list = readList(keyColumns(table).map(({ name }) => name));
  const cells = read(session, `SELECT ${list} FROM ${quoteName(table.name)}`, table, key, filter);
  return cells && table.columns.map((_, place) => cells[table.key.indexOf(place)] ?? UNCHANGED);
}

function read(session: Session, select: string, table: Table, key: Key, filter: string | null): Row | undefined {
  const also = filter === null ? '' : ` AND ${inParentheses(filter)}`;
  const values = session.row(`${select} WHERE ${keyCondition(table, key)}${also}`, ...key.map(bound));
  return values && readRow(values);
}
