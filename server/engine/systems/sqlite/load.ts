import { type Key, keyOf, keyText } from '../../change.ts';
import { markedKey } from '../../mark.ts';
import type { Load } from '../../sink.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import { readKey, readList } from './cells.ts';
import { lowerOf, rangeCondition } from './chunks.ts';
import type { Session } from './connect.ts';
import { writeOrEvict } from './evict.ts';
import { remove, upsert } from './statements.ts';

/** Writes a chunk within the caller's transaction. */
export function loadChunk(session: Session, load: Load): void {
  const { table, rows, absent, conflict } = load;
  for (const key of [...absent, ...surplus(session, load)]) remove(session, table, key);
  for (const row of rows) writeOrEvict(session, table, row, () => upsert(session, table, row, conflict));
}

/** Keys of the target within the part of a resync that the source does not have. */
function surplus(session: Session, { table, rows, replace }: Load): Key[] {
  if (!replace) return [];
  const wanted = new Set([...rows.map((row) => keyOf(table, row)), ...replace.keep].map(keyText));
  const upper = replace.upTo ?? (replace.range.to && markedKey(replace.range.to));
  const { condition, values } = rangeCondition(table, lowerOf(replace.range), upper);
  const columns = readList(keyColumns(table).map(({ name }) => name));
  return session
    .rows(`SELECT ${columns} FROM ${quoteName(table.name)} ${condition && `WHERE ${condition}`}`, ...values)
    .map(readKey)
    .filter((key) => key !== null)
    .filter((key) => !wanted.has(keyText(key)));
}
