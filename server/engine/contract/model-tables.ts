import { type Key, keyOf, type Row } from '../change.ts';
import type { Column, Table } from '../table.ts';

const column = (name: string): Column => ({ name, type: 'text', nullable: true, generated: false });

/** A table of the model: the log omits an unchanged value of `big`, and `code` has a secondary unique index. */
function modelTable(name: string, columns: string[], key: number[], exactKey = true, ordered = false): Table {
  return { id: name, schema: 'model', name, columns: columns.map(column), key, exactKey, ordered };
}

export const modelTables: readonly Table[] = [
  modelTable('plain', ['id', 'a', 'big', 'code'], [0], true, true),
  modelTable('pair', ['big', 'k1', 'k2', 'code'], [1, 2]),
  // Equal keys may differ in case.
  modelTable('loose', ['id', 'a', 'big', 'code'], [0], false),
];

/** The key as the database compares it. */
export function comparedKey(table: Table, key: Key): string {
  const text = key.map(String).join('\0');
  return table.exactKey ? text : text.toLowerCase();
}

export function comparedKeyOf(table: Table, row: Row): string {
  return comparedKey(table, keyOf(table, row));
}
