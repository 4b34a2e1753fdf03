import type { SQLOutputValue } from 'node:sqlite';
import { type Key, type Row, UNCHANGED } from '../../change.ts';
import { keyColumns, writable } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { bound, keyCondition, readList, readRow } from './cells.ts';
import type { Session } from './connect.ts';
import { inParentheses } from './filter.ts';

/**
 * The SELECT for a table's rows, without conditions. What the database computes is written nowhere, and may need a
 * function that only the application has.
 */
export function selectRows(table: Table): string {
  return `SELECT ${readList(writable(table).map(({ column }) => column.name))} FROM ${quoteName(table.name)}`;
}

/** A row that `selectRows` selected; computed cells are UNCHANGED. */
export function rowFrom(table: Table, values: readonly SQLOutputValue[]): Row {
  const cells = readRow(values);
  if (cells.length === table.columns.length) return cells;
  let next = 0;
  return table.columns.map(({ generated }) => (generated ? UNCHANGED : (cells[next++] ?? null)));
}

/** The present row with a key; undefined if there is none, or it does not meet the filter. */
export function rowOf(session: Session, table: Table, key: Key, filter: string | null = null): Row | undefined {
  const values = find(session, selectRows(table), table, key, filter);
  return values && rowFrom(table, values);
}

/** The same without reading the row: all its other cells are UNCHANGED. */
export function keyRowOf(session: Session, table: Table, key: Key, filter: string | null): Row | undefined {
  const list = readList(keyColumns(table).map(({ name }) => name));
  const values = find(session, `SELECT ${list} FROM ${quoteName(table.name)}`, table, key, filter);
  const cells = values && readRow(values);
  return cells && table.columns.map((_, place) => cells[table.key.indexOf(place)] ?? UNCHANGED);
}

function find(
  session: Session,
  select: string,
  table: Table,
  key: Key,
  filter: string | null,
): SQLOutputValue[] | undefined {
  const also = filter === null ? '' : ` AND ${inParentheses(filter)}`;
  return session.row(`${select} WHERE ${keyCondition(table, key)}${also}`, ...key.map(bound));
}
