import type { Key, Row } from '../change.ts';
import { UNCHANGED } from '../change.ts';
import type { Column, Table } from '../table.ts';

/** A column with its position in its table's rows. */
export interface Place {
  column: Column;
  index: number;
}

/** The columns that a statement can write: all except those that the database computes. */
export function writable(table: Table): Place[] {
  return table.columns.map((column, index) => ({ column, index })).filter(({ column }) => !column.generated);
}

/** The columns that a row contains and a statement can write. */
export function told(table: Table, row: Row): Place[] {
  return writable(table).filter(({ index }) => row[index] !== UNCHANGED && row[index] !== undefined);
}

/** The key columns, in key order. */
export function keyColumns(table: Table): Column[] {
  return table.key.map((index) => {
    const column = table.columns[index];
    if (!column) throw new Error(`The key of ${table.schema}.${table.name} names a column that it does not have.`);
    return column;
  });
}

/** The cell of a key column; a key has all of them. */
export function keyCell(key: Key, place: number): string | Uint8Array {
  const cell = key[place];
  if (cell === undefined) throw new Error(`A key has no cell at place ${place + 1}.`);
  return cell;
}
