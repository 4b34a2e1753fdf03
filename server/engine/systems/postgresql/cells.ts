import type { Cell, Key, Row } from '../../change.ts';
import { keyCell } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import type { TargetTable } from './target-table.ts';

/**
 * A cell from this size on stays the bytes of its text, and is sent as they are. No key has one: an entry of an index
 * has at most 2.7 kB, which no compression expands to this.
 */
export const largeCellBytes = 2 ** 20;

/** A cell's text; large cells arrive as the bytes of their text. */
export function cellText(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell;
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString() : null;
}

/** A cell as the value of a parameter of type text; pg sends bytes as they are. */
export function cellParameter(cell: Cell | undefined): string | Buffer | null {
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength) : cellText(cell);
}

/** Rows as input to a statement: an array of texts for each column, cast to its type. */
export interface Given {
  /** `(SELECT …) AS given` with the columns' own names, and an extra column that numbers the rows from 1. */
  sql: string;
  values: unknown[];
  /** The name of the numbering column. */
  place: string;
}

/** Whether an array would multiply the memory that the row takes. */
export function hasLargeCell(row: Row): boolean {
  return row.some((cell) => cell instanceof Uint8Array);
}

/** @param first the number of the first parameter */
export function givenRows(target: TargetTable, columns: readonly number[], rows: readonly Row[], first = 1): Given {
  const [row] = rows;
  if (row && rows.length === 1 && hasLargeCell(row)) return givenRow(target, columns, row, first);
  return given(
    target,
    columns,
    columns.map((column) => rows.map((row) => cellText(row[column]))),
    first,
  );
}

/** The same for keys: only the key columns. */
export function givenKeys(target: TargetTable, keys: readonly Key[], first = 1): Given {
  return given(
    target,
    target.table.key,
    target.table.key.map((_, place) => keys.map((key) => cellText(keyCell(key, place)))),
    first,
  );
}

/** A single row without arrays. */
function givenRow({ table, casts }: TargetTable, columns: readonly number[], row: Row, first: number): Given {
  const place = placeName(table);
  const list = columns.map(
    (column, at) => `$${first + at}::text::${casts[column]} AS ${quoteName(table.columns[column]?.name ?? '')}`,
  );
  return {
    sql: `(SELECT ${[...list, `1 AS ${place}`].join(', ')}) AS given`,
    values: columns.map((column) => cellParameter(row[column])),
    place,
  };
}

function given(
  { table, casts }: TargetTable,
  columns: readonly number[],
  values: (string | null)[][],
  first: number,
): Given {
  const list = columns.map(
    (column, place) => `c${place}::${casts[column]} AS ${quoteName(table.columns[column]?.name ?? '')}`,
  );
  const arrays = columns.map((_, place) => `$${first + place}::text[]`);
  const names = columns.map((_, place) => `c${place}`);
  const place = placeName(table);
  return {
    sql: `(SELECT ${list.join(', ')}, ${place} FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS t (${names.join(', ')}, ${place})) AS given`,
    values,
    place,
  };
}

/** A name that none of the table's columns has. */
function placeName({ columns }: Table): string {
  let name = 'millrace_place';
  while (columns.some((column) => column.name === name)) name += '_';
  return name;
}
