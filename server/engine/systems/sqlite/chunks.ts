import type { SQLInputValue } from 'node:sqlite';
import type { Key, Row } from '../../change.ts';
import { keyOf } from '../../change.ts';
import { markedKey, type RangeMark } from '../../mark.ts';
import type { Chunk, Part } from '../../source.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import { mostChunkBytes, sizeOf } from '../../sql/row-size.ts';
import type { Table } from '../../table.ts';
import { bound, placeholder, readRow } from './cells.ts';
import type { Session } from './connect.ts';
import { inParentheses } from './filter.ts';
import { logOf, positionOf } from './reserve.ts';
import { rowOf, selectRows } from './rows.ts';

/** Reads part of a table; the caller's transaction is its snapshot. */
export function readPart(
  session: Session,
  job: string | undefined,
  table: Table,
  part: Part,
  filter: string | null,
): Chunk {
  const { rows, isWhole } =
    'keys' in part
      ? { rows: rowsOfKeys(session, table, part.keys, filter), isWhole: true }
      : rowsOfRange(session, table, part, filter);
  const last = isWhole ? undefined : rows.at(-1);
  return {
    rows,
    last: last ? keyOf(table, last) : null,
    ...snapshotOf(session, job),
  };
}

/** What the caller's transaction sees of the job's log. */
export function snapshotOf(session: Session, job: string | undefined): Pick<Chunk, 'sees' | 'end'> {
  const log = job === undefined ? undefined : logOf(session, job);
  const newest = log?.newest.sequence ?? 0n;
  return {
    sees: (transaction) => BigInt(transaction) <= newest,
    end: log ? positionOf(log, log.newest) : { order: '', resume: '' },
  };
}

/** The condition and values for a range's keys: those after the last key that was read, up to the range's end. */
export function rangeCondition(
  table: Table,
  lower: Key | null,
  upper: Key | null,
): { condition: string; values: SQLInputValue[] } {
  const columns = `(${quoteNames(keyColumns(table).map(({ name }) => name))})`;
  const bounds = [
    ...(lower ? [{ operator: '>', key: lower }] : []),
    ...(upper ? [{ operator: '<=', key: upper }] : []),
  ];
  return {
    condition: bounds
      .map(({ operator, key }) => `${columns} ${operator} (${key.map(placeholder).join(', ')})`)
      .join(' AND '),
    values: bounds.flatMap(({ key }) => key.map(bound)),
  };
}

/** The key after which a range continues. */
export function lowerOf({ after, from }: RangeMark): Key | null {
  const key = after ?? from;
  return key && markedKey(key);
}

/** The next rows of a range, up to a limit of rows or bytes; `isWhole` if the range has no more. */
function rowsOfRange(
  session: Session,
  table: Table,
  { range, limit }: { range: RangeMark; limit: number },
  filter: string | null,
): { rows: Row[]; isWhole: boolean } {
  const { condition, values } = rangeCondition(table, lowerOf(range), range.to && markedKey(range.to));
  const order = keyColumns(table)
    .map(({ name }) => quoteName(name))
    .join(', ');
  const conditions = [condition, filter === null ? '' : inParentheses(filter)].filter(Boolean).join(' AND ');
  const query = `${selectRows(table)} ${conditions && `WHERE ${conditions}`} ORDER BY ${order}`;
  const rows: Row[] = [];
  let bytes = 0;
  for (const cells of session.each(query, ...values)) {
    if (rows.length >= limit || bytes >= mostChunkBytes) return { rows, isWhole: false };
    const row = readRow(cells);
    rows.push(row);
    bytes += sizeOf(row);
  }
  return { rows, isWhole: true };
}

function rowsOfKeys(session: Session, table: Table, keys: readonly Key[], filter: string | null): Row[] {
  return keys.map((key) => rowOf(session, table, key, filter)).filter((row) => row !== undefined);
}
