import { quoteName } from '../../sql/names.ts';
import type { Session } from './connect.ts';
import { indexSql, wordsIn } from './index-sql.ts';
import { singleQuoted } from './single-quoted.ts';
import { type Description, rowidName, type UniqueIndex } from './tables.ts';

/**
 * Conditions that find rows holding a unique value of a new row, apart from the row with its key: one for each unique
 * index, and one for the rowid, which REPLACE treats as unique too.
 * @param value SQL for the new row's cell in a column
 * @param isFinal whether the cells are those that will be stored; before an INSERT, the rowid may not be assigned yet
 */
export function holderConditions(
  session: Session,
  description: Description,
  value: (column: string) => string,
  isFinal: boolean,
): string[] {
  const { table, unique } = description;
  // Only columns that the expression names: a trigger that names a column prevents users from dropping it.
  const overRow = (expression: string) => {
    const words = wordsIn(expression);
    const used = table.columns.filter(({ name }) => words.has(name.toLowerCase()));
    const row = used.map(({ name }) => `${value(name)} AS ${quoteName(name)}`).join(', ');
    return `(SELECT ${expression} FROM (SELECT ${row || '1'}))`;
  };
  const conditions = unique.map((index) => {
    const { parts, where } = sqlOf(session, table.name, index);
    const equal = index.columns.map(({ name, collation }, place) =>
      name === null
        ? // The same expression on the new row: the names in it refer to the columns of either row.
          `(${parts[place]}) = ${overRow(parts[place] ?? '')}`
        : `${quoteName(name)} = ${value(name)} COLLATE ${quoteName(collation)}`,
    );
    const taken = where === null ? [] : [`(${where})`, ...(isFinal ? [overRow(where)] : [])];
    return [...equal, ...taken].join(' AND ');
  });
  const rowid = description.rowidIsKey ? undefined : rowidName(description);
  return rowid ? [...conditions, `${rowid} = ${value(rowid)}`] : conditions;
}

function sqlOf(
  session: Session,
  table: string,
  index: UniqueIndex,
): { parts: readonly string[]; where: string | null } {
  const isPlain = !index.partial && index.columns.every(({ name }) => name !== null);
  if (isPlain) return { parts: [], where: null };
  const statements = [table, index.name].map((name) => {
    const [sql] = session.row('SELECT sql FROM sqlite_schema WHERE name = ?', name) ?? [];
    return String(sql);
  });
  return indexSql(singleQuoted(statements)[1] ?? '');
}
