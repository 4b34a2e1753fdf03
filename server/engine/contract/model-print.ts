import { keyOf, keyText, type Row } from '../change.ts';
import type { PrintedChunk, PrintedRows } from '../printed.ts';
import type { Table } from '../table.ts';

const printed = new WeakMap<PrintedRows['pieces'], readonly Row[]>();

/** Rows as the model prints them; only the model's target can read this. */
export function printRows(table: Table, rows: readonly Row[]): PrintedChunk {
  return {
    ...print(table, rows),
    without(keys) {
      const wanted = new Set(keys.map(keyText));
      const { rest = [], taken = [] } = Object.groupBy(rows, (row) =>
        wanted.has(keyText(keyOf(table, row))) ? 'taken' : 'rest',
      );
      return { rest: print(table, rest), rows: taken };
    },
  };
}

/** Printed rows in the order of the columns they go to. */
export function readPrinted({ pieces, columns }: PrintedRows): Row[] {
  const rows = printed.get(pieces) ?? [];
  return rows.map((row) => columns.map((_, column) => row[columns.indexOf(column)] ?? null));
}

function print({ columns }: Table, rows: readonly Row[]): PrintedRows {
  const pieces = [Buffer.alloc(0)];
  printed.set(pieces, rows);
  return { length: rows.length, columns: columns.map((_, column) => column), pieces, isBinary: false };
}
