import type { SQLInputValue } from 'node:sqlite';
import type { Key, Row } from '../../change.ts';
import { keyOf } from '../../change.ts';
import { markedKey, type RangeMark } from '../../mark.ts';
import type { Chunk, Part } from '../../source.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import { mostChunkBytes, sizeOf } from '../../sql/row-size.ts';
import { type Table, tableName } from '../../table.ts';
import { bound, placeholder } from './cells.ts';
import type { Session } from './connect.ts';
import { reading } from './errors.ts';
import { inParentheses } from './filter.ts';
import { logOf, positionOf } from './reserve.ts';
import { keyRowOf, rowFrom, rowOf, selectRows } from './rows.ts';

/** Reads part of a table; the caller's transaction is its snapshot. */
export function readPart(
  session: Session,
  job: string | undefined,
  table: Table,
  part: Part,
  filter: string | null,
): Chunk {
  const read = reading(tableName(table), () =>
    'keys' in part ? rowsOfKeys(session, table, part, filter) : rowsOfRange(session, table, part, filter),
  );
  return { ...read, ...snapshotOf(session, job) };
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

/** The next rows of a range, up to a limit of rows or bytes. */
function rowsOfRange(
  session: Session,
  table: Table,
  { range, limit }: { range: RangeMark; limit: number },
  filter: string | null,
): Pick<Chunk, 'rows' | 'last'> {
  const { condition, values } = rangeCondition(table, lowerOf(range), range.to && markedKey(range.to));
  const order = keyColumns(table)
    .map(({ name }) => quoteName(name))
    .join(', ');
  const conditions = [condition, filter === null ? '' : inParentheses(filter)].filter(Boolean).join(' AND ');
  const query = `${selectRows(table)} ${conditions && `WHERE ${conditions}`} ORDER BY ${order}`;
  const rows: Row[] = [];
  let bytes = 0;
  for (const cells of session.each(query, ...values)) {
    const last = rows.at(-1);
    if (last && (rows.length >= limit || bytes >= mostChunkBytes)) return { rows, last: keyOf(table, last) };
    const row = rowFrom(table, cells);
    rows.push(row);
    bytes += sizeOf(row);
  }
  return { rows, last: null };
}

/** The rows of the first of these keys, up to a limit of bytes. */
function rowsOfKeys(
  session: Session,
  table: Table,
  { keys, onlyKeys = false }: Extract<Part, { keys: unknown }>,
  filter: string | null,
): Pick<Chunk, 'rows' | 'last'> {
  const rows: Row[] = [];
  let bytes = 0;
  let last: Key | null = null;
  for (const key of keys) {
    if (bytes >= mostChunkBytes) return { rows, last };
    last = key;
    const row = onlyKeys ? keyRowOf(session, table, key, filter) : rowOf(session, table, key, filter);
    if (!row) continue;
    rows.push(row);
    if (!onlyKeys) bytes += sizeOf(row);
  }
  return { rows, last: null };
}
