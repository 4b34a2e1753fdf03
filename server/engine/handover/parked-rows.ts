import { keyText } from '../change.ts';
import { markedKey, type ParkedRow } from '../mark.ts';

/** Parked rows by the text of their key. */
export type ParkedRows = ReadonlyMap<string, ParkedRow>;

/** Parked rows as a mark lists them. */
export function parkedRows(rows: readonly ParkedRow[] = []): Map<string, ParkedRow> {
  return new Map(rows.map((row) => [keyText(markedKey(row.key)), row]));
}
