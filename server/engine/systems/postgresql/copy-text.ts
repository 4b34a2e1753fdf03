import type { Row } from '../../change.ts';
import { cellText } from './cells.ts';

/** How much is handed to the socket at a time, in characters. */
const pieceSize = 64 * 1024;

const special = /[\\\n\r\t]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Rows in the text format of COPY, in pieces. @param columns which cells, in this order */
export function* copyText(rows: readonly Row[], columns: readonly number[]): Generator<string> {
  let piece = '';
  for (const row of rows) {
    piece += `${columns.map((column) => escaped(cellText(row[column]))).join('\t')}\n`;
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}

function escaped(text: string | null): string {
  if (text === null) return '\\N';
  return special.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (character) => escapes[character] ?? character) : text;
}
