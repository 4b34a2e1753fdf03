import type { Refused } from '../batch.ts';
import { keyText } from '../change.ts';
import { EngineError } from '../errors.ts';
import { keyMark, type ParkedRow, type ParkedUpdate } from '../mark.ts';
import { tableName } from '../table.ts';
import type { ParkedRows } from './parked-rows.ts';
import type { TableProgress } from './table-progress.ts';

/** More parked rows than this block their table, whatever its size: no one would check them one by one. */
export const mostParked = 100;
/** The limit for a small table, where a thousandth is less than a row. */
const least = 10;

/** How many rows of a table may be parked: 100, or 0.1 % of the rows copied if that is less, and never under ten. */
export function parkedLimit(rows: number): number {
  return Math.min(mostParked, Math.max(least, Math.floor(rows / 1_000)));
}

/**
 * The parked rows of a table after some rows were refused.
 * @param left rows that are still parked
 * @param rows copied so far, for the limit
 * @throws EngineError TOO_MANY_ROWS_REFUSED
 */
export function park(
  { route, parked: before, mark }: TableProgress,
  left: ParkedRows,
  refused: readonly Refused[],
  when: Pick<ParkedRow, 'position' | 'at'>,
  rows = mark.rows,
): Map<string, ParkedRow> {
  const after = new Map(left);
  let last = Math.max(0, ...[...before.values()].map(({ number }) => number));
  for (const { key, op, error } of refused) {
    const text = keyText(key);
    const number = before.get(text)?.number ?? ++last;
    after.set(text, { number, key: keyMark(key), op, code: error.code, ...when });
  }
  const [one] = refused;
  if (one && after.size > before.size && after.size > parkedLimit(rows))
    throw new EngineError('TOO_MANY_ROWS_REFUSED', { ...one.error.place, table: tableName(route.target) });
  return after;
}

/** What to write of them; empty if nothing changes. */
export function parkedUpdate({ id, parked: before }: TableProgress, after: ParkedRows): ParkedUpdate[] {
  const numbers = new Set([...after.values()].map(({ number }) => number));
  const unpark = [...before.values()].flatMap(({ number }) => (numbers.has(number) ? [] : [number]));
  const rows = [...after].flatMap(([text, row]) => (before.get(text) === row ? [] : [row]));
  return unpark.length > 0 || rows.length > 0 ? [{ table: id, unpark, park: rows }] : [];
}

/** What people see about refused rows: how many and why, never which. */
export function parkedSentence(refused: readonly Refused[]): string {
  const reasons = new Set(refused.map(({ error }) => [error.code, error.place.constraint].filter(Boolean).join(', ')));
  const rows = refused.length === 1 ? 'a row, which is parked' : `${refused.length} rows, which are parked`;
  return `The target refused ${rows} (${[...reasons].join('; ')}).`;
}
