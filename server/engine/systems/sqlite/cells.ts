import { isUtf8 } from 'node:buffer';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Cell, Key } from '../../change.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';

/**
 * SQLite types values, not columns, so a cell states its value's type: `i:` and an integer, `r:` and a real, `t:` and
 * text, `x:` and the hexadecimal bytes of text that is not valid UTF-8. Blobs are bytes.
 */

/** How many terms one expression may have: SQLite limits its depth. */
const mostTerms = 500;

/**
 * A table's columns as `readRow` expects them: each as a value, text as bytes, followed by one column for all of them
 * that has a digit for each: 1 if it is text. Two columns for each would exceed what a query may return.
 */
export function readList(names: readonly string[]): string {
  const quoted = names.map(quoteName);
  const cells = quoted.map((name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`);
  const digits = quoted.map((name) => `(typeof(${name}) = 'text')`);
  const parts = Array.from(
    { length: Math.ceil(digits.length / mostTerms) },
    (_, place) => `(${digits.slice(place * mostTerms, (place + 1) * mostTerms).join(' || ')})`,
  );
  return [...cells, `'' || ${parts.join(' || ')}`].join(', ');
}

/** A row that `readList` selected. */
export function readRow(values: readonly SQLOutputValue[]): Exclude<Cell, symbol>[] {
  const digits = String(values.at(-1));
  return values.slice(0, -1).map((value, place) => cellOf(value, digits[place] === '1'));
}

/** A key that `readList` selected; null if one of its cells is NULL, which our keys never contain. */
export function readKey(values: readonly SQLOutputValue[]): Key | null {
  return asKey(readRow(values));
}

/** Cells as a key, likewise. */
export function asKey(cells: readonly Exclude<Cell, symbol>[]): Key | null {
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
