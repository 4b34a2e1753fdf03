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

/** Target keys that are compared with a chunk's at a time. */
const keysAtOnce = 10_000;

/** Deletes what a chunk requires to be gone, before its rows are written. */
export function deleteFirst(session: Session, load: Load): void {
  for (const key of load.absent) remove(session, load.table, key);
  deleteSurplus(session, load);
}

/** Writes a chunk's rows; whole rows never find anything missing. */
export function writeRows(session: Session, { table, conflict }: Load, rows: readonly Row[]): [] {
  for (const row of rows) upsert(session, table, row, conflict);
  return [];
}

/** Deletes the target rows of a resynced part that the source does not have: there may be more than fit into memory. */
function deleteSurplus(session: Session, load: Load): void {
  const { table, rows } = load;
  const replace = replacedPart(load);
  if (!replace) return;
  const wanted = new Set([...rows.map((row) => keyOf(table, row)), ...replace.keep].map(keyText));
  const upTo = replace.upTo ?? (replace.range.to && markedKey(replace.range.to));
  let after = lowerOf(replace.range);
  let keys: Key[];
  do {
    keys = readKeys(session, table, after, keysAtOnce, upTo);
    for (const key of keys) if (!wanted.has(keyText(key))) remove(session, table, key);
    after = keys.at(-1) ?? null;
  } while (keys.length === keysAtOnce);
}

/** Keys of the rows after a key, in the table's order. */
export function readKeys(
  session: Session,
  table: Table,
  after: Key | null,
  limit: number,
  upTo: Key | null = null,
): Key[] {
  const names = keyColumns(table).map(({ name }) => quoteName(name));
  const { condition, values } = rangeCondition(table, after, upTo);
  // A unique index allows NULL, which is not a key.
  const conditions = [...(condition ? [condition] : []), ...names.map((name) => `${name} IS NOT NULL`)];
  return session
    .rows(
      `SELECT ${readList(keyColumns(table).map(({ name }) => name))} FROM ${quoteName(table.name)}
        WHERE ${conditions.join(' AND ')} ORDER BY ${names.join(', ')} LIMIT ${limit}`,
      ...values,
    )
    .map(readKey)
    .filter((key) => key !== null);
}
