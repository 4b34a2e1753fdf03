import type { Cell, Key, Row } from '../../change.ts';
import { keyCell } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import type { TargetTable } from './target-table.ts';

/** A cell's text; large cells arrive as the bytes of their text. */
export function cellText(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell;
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString() : null;
}

/** Rows as input to a statement: an array of texts for each column, cast to its type. */
export interface Given {
  /** `(SELECT …) AS given` with the columns' own names, and an extra column that numbers the rows from 1. */
  sql: string;
  values: (string | null)[][];
  /** The name of the numbering column. */
  place: string;
}

/** @param first the number of the first parameter */
export function givenRows(target: TargetTable, columns: readonly number[], rows: readonly Row[], first = 1): Given {
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
