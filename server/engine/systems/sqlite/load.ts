import { type Key, keyOf, keyText, type Row } from '../../change.ts';
import { markedKey } from '../../mark.ts';
import { type Load, replacedPart } from '../../sink.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { readKey, readList } from './cells.ts';
import { lowerOf, rangeCondition } from './chunks.ts';
import type { Session } from './connect.ts';
import { remove, upsert } from './statements.ts';

/** Deletes what a chunk requires to be gone, before its rows are written. */
export function deleteFirst(session: Session, load: Load): void {
  for (const key of [...load.absent, ...surplus(session, load)]) remove(session, load.table, key);
}

/** Writes a chunk's rows; whole rows never find anything missing. */
export function writeRows(session: Session, { table, conflict }: Load, rows: readonly Row[]): [] {
  for (const row of rows) upsert(session, table, row, conflict);
  return [];
}

/** Target keys within a resynced part that the source does not have. */
function surplus(session: Session, load: Load): Key[] {
  const { table, rows } = load;
  const replace = replacedPart(load);
  if (!replace) return [];
  const wanted = new Set([...rows.map((row) => keyOf(table, row)), ...replace.keep].map(keyText));
  const upper = replace.upTo ?? (replace.range.to && markedKey(replace.range.to));
  return targetKeys(session, table, rangeCondition(table, lowerOf(replace.range), upper), '').filter(
    (key) => !wanted.has(keyText(key)),
  );
}

/** Keys of the rows after a key, in the table's order. */
export function readKeys(session: Session, table: Table, after: Key | null, limit: number): Key[] {
  const names = keyColumns(table).map(({ name }) => quoteName(name));
  const bounds = rangeCondition(table, after, null);
  const set = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const condition = [bounds.condition, set].filter(Boolean).join(' AND ');
  return targetKeys(session, table, { ...bounds, condition }, `ORDER BY ${names.join(', ')} LIMIT ${limit}`);
}

function targetKeys(
  session: Session,
  table: Table,
  { condition, values }: ReturnType<typeof rangeCondition>,
  tail: string,
): Key[] {
  const columns = readList(keyColumns(table).map(({ name }) => name));
  return session
    .rows(`SELECT ${columns} FROM ${quoteName(table.name)} ${condition && `WHERE ${condition}`} ${tail}`, ...values)
    .map(readKey)
    .filter((key) => key !== null);
}
