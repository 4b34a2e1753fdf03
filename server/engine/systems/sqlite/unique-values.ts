import { quoteName } from '../../sql/names.ts';
import type { Session } from './connect.ts';
import { indexSql } from './index-sql.ts';
import { type Description, rowidName, type UniqueIndex } from './tables.ts';

/**
 * Conditions that find rows which hold a unique value of a new row, besides the row with its key: one for each unique
 * index, and one for the row number, which REPLACE takes for unique too.
 * @param value what stands for the new row's cell of a column
 */
export function holderConditions(
  session: Session,
  description: Description,
  value: (column: string) => string,
): string[] {
  const { table, unique } = description;
  const row = table.columns.map(({ name }) => `${value(name)} AS ${quoteName(name)}`).join(', ');
  const conditions = unique.map((index) => {
    const { parts, where } = sqlOf(session, index);
    const equal = index.columns.map(({ name, collation }, place) =>
      name === null
        ? // The same expression over the new row: names in it mean the columns of either.
          `(${parts[place]}) = (SELECT ${parts[place]} FROM (SELECT ${row}))`
        : `${quoteName(name)} = ${value(name)} COLLATE ${quoteName(collation)}`,
    );
    return [...equal, ...(where === null ? [] : [`(${where})`])].join(' AND ');
  });
  const rowid = description.rowidIsKey ? undefined : rowidName(description);
  return rowid ? [...conditions, `${rowid} = ${value(rowid)}`] : conditions;
}

function sqlOf(session: Session, index: UniqueIndex): { parts: readonly string[]; where: string | null } {
  const isPlain = !index.partial && index.columns.every(({ name }) => name !== null);
  if (isPlain) return { parts: [], where: null };
  const [sql] = session.row("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?", index.name) ?? [];
  return indexSql(String(sql));
}
