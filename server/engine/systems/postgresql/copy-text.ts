import { type Cell, type Key, type Row, UNCHANGED } from '../../change.ts';
import type { PrintedRows } from '../../printed.ts';
import type { Table } from '../../table.ts';
import { cellText } from './cells.ts';

/** How much is written to the socket at a time, in characters. */
const pieceSize = 64 * 1024;

/**
 * What COPY writes as a backslash and a letter. Exactly these, so that a key that we print is found in COPY's output.
 */
const letters: Record<string, string> = {
  '\\': '\\',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
};
const characters = new Map(Object.entries(letters).map(([character, letter]) => [letter, character]));
const special = /[\\\b\f\n\r\t\v]/;

/** Rows in COPY's text format, in pieces. @param columns which cells, in this order */
export function* copyText(rows: readonly Row[], columns: readonly number[]): Generator<string> {
  let piece = '';
  for (const row of rows) {
    piece += `${columns.map((column) => printCell(cellText(row[column]))).join('\t')}\n`;
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}

/** Rows that the server printed in COPY's text format. @param width cells per row; those not printed are UNCHANGED */
export function parseCopyText({ pieces, columns }: PrintedRows, width: number): Row[] {
  return pieces.flatMap((piece) => {
    const lines = decode(piece, 'utf8').split('\n');
    // A row ends with a line feed too.
    lines.pop();
    return lines.map((line) => parseLine(line, columns, width));
  });
}

/** A single row, with its line feed. */
export function parseRow(line: Uint8Array, columns: readonly number[], width: number): Row {
  return parseLine(decode(line, 'utf8').slice(0, -1), columns, width);
}

/** Takes out the rows with these keys; the others stay as they were printed. */
export function takeOut(
  printed: PrintedRows,
  table: Table,
  keys: readonly Key[],
): { rest: PrintedRows; rows: readonly Row[] } {
  if (keys.length === 0) return { rest: printed, rows: [] };
  const { columns } = printed;
  const places = table.key.map((column) => columns.indexOf(column));
  const most = Math.max(...places) + 1;
  const wanted = new Set(keys.map(printKey));
  const pieces: Uint8Array[] = [];
  const rows: Row[] = [];
  for (const piece of printed.pieces) {
    // One character per byte, so that offsets in the text are offsets in the piece.
    const text = decode(piece, 'latin1');
    let kept = 0;
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = text.indexOf('\n', start) + 1;
      const cells = text.slice(start, end - 1).split('\t', most);
      if (!wanted.has(places.map((place) => cells[place]).join('\t'))) continue;
      rows.push(parseRow(piece.subarray(start, end), columns, table.columns.length));
      if (start > kept) pieces.push(piece.subarray(kept, start));
      kept = end;
    }
    if (kept < piece.length) pieces.push(piece.subarray(kept));
  }
  return { rest: { ...printed, length: printed.length - rows.length, pieces }, rows };
}

function printKey(key: Key): string {
  return key.map((cell) => Buffer.from(printCell(cellText(cell))).toString('latin1')).join('\t');
}

function decode(piece: Uint8Array, encoding: 'utf8' | 'latin1'): string {
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString(encoding);
}

function parseLine(line: string, columns: readonly number[], width: number): Row {
  const row = new Array<Cell>(width).fill(UNCHANGED);
  for (const [place, cell] of line.split('\t').entries()) row[columns[place] ?? 0] = parseCell(cell);
  return row;
}

function parseCell(cell: string): string | null {
  if (!cell.includes('\\')) return cell;
  return cell === '\\N' ? null : cell.replaceAll(/\\(.)/g, (_, letter: string) => characters.get(letter) ?? letter);
}

function printCell(cell: string | null): string {
  if (cell === null) return '\\N';
  if (!special.test(cell)) return cell;
  return cell.replaceAll(/[\\\b\f\n\r\t\v]/g, (character) => `\\${letters[character]}`);
}
