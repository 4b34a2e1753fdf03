import { isUtf8 } from 'node:buffer';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Cell, Key } from '../../change.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';

/**
 * SQLite types values, not columns, so a cell states its value's type: `i:` and an integer, `r:` and a real, `t:` and
 * text, `x:` and the hexadecimal bytes of text that is not valid UTF-8. Blobs are bytes.
 */

/** A table's columns as `readRow` expects them: each as a value, text as bytes, followed by whether it is text. */
export function readList(names: readonly string[]): string {
  return names
    .map(quoteName)
    .map(
      (name) =>
        `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END, typeof(${name}) = 'text'`,
    )
    .join(', ');
}

/** A row that `readList` selected. */
export function readRow(values: readonly SQLOutputValue[]): Exclude<Cell, symbol>[] {
  const cells: Exclude<Cell, symbol>[] = [];
  for (let place = 0; place < values.length; place += 2) {
    cells.push(cellOf(values[place] ?? null, values[place + 1] === 1n));
  }
  return cells;
}

/** A row's cells as a key; null if one of them is NULL, which our keys never contain. */
export function readKey(values: readonly SQLOutputValue[]): Key | null {
  const cells = readRow(values);
  return cells.every((cell) => cell !== null) ? cells : null;
}

function cellOf(value: SQLOutputValue, isText: boolean): Exclude<Cell, symbol> {
  if (value === null) return null;
  if (typeof value === 'bigint') return `i:${value}`;
  // The shortest text that parses back to the same number, at most 17 digits.
  if (typeof value === 'number') return Object.is(value, -0) ? 'r:-0' : `r:${value}`;
  if (typeof value === 'string') return `t:${value}`;
  if (!isText) return value;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return isUtf8(bytes) ? `t:${bytes.toString()}` : `x:${bytes.toString('hex')}`;
}

/** A cell as people read it; blobs and invalid text as hexadecimal bytes. */
export function shown(cell: string | Uint8Array): string {
  if (typeof cell === 'string') return cell.startsWith('x:') ? `0x${cell.slice(2)}` : cell.slice(2);
  return `0x${Buffer.from(cell).toString('hex')}`;
}

/** The placeholder for a cell in a statement. */
export function placeholder(cell: Cell | undefined): string {
  return typeof cell === 'string' && cell.startsWith('x:') ? 'CAST(? AS TEXT)' : '?';
}

/** The value bound for a cell. @throws Error for a cell that no SQLite source produces */
export function bound(cell: Cell | undefined): SQLInputValue {
  if (cell === null || cell instanceof Uint8Array) return cell;
  const text = typeof cell === 'string' ? cell.slice(2) : '';
  switch (typeof cell === 'string' ? cell.slice(0, 2) : '') {
    case 'i:':
      return BigInt(text);
    case 'r:':
      return Number(text);
    case 't:':
      return text;
    case 'x:':
      return Buffer.from(text, 'hex');
    default:
      throw new Error('A cell without a SQLite type reached SQLite.');
  }
}

/** The condition that finds one row by its key. */
export function keyCondition(table: Table, key: Key): string {
  return table.key
    .map((index, place) => `${quoteName(table.columns[index]?.name ?? '')} = ${placeholder(key[place])}`)
    .join(' AND ');
}
