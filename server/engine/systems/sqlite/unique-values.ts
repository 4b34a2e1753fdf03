import { quoteName } from '../../sql/names.ts';
import type { Session } from './connect.ts';
import { indexSql } from './index-sql.ts';
import { resultOn, storedIn } from './row-expression.ts';
import { singleQuoted } from './single-quoted.ts';
import { wordsIn } from './sql-pieces.ts';
import { generatedExpressions } from './table-sql.ts';
import { type Description, rowidName, type UniqueIndex } from './tables.ts';

/**
 * Conditions that find rows holding a unique value of a new row, apart from the row with its key: one for each unique
 * index, and one for the rowid, which REPLACE treats as unique too.
 * @param value SQL for the new row's cell in a column that is not generated
 * @param isFinal whether the cells are those that will be stored; before an INSERT, the rowid may not be assigned yet
 */
export function holderConditions(
  session: Session,
  description: Description,
  value: (column: string) => string,
  isFinal: boolean,
): string[] {
  const { table, unique } = description;
  const newRow = newRowOf(session, description, value);
  const conditions = unique.map((index) => {
    const { parts, where } = sqlOf(session, table.name, index);
    // SQLite does not evaluate the expression of a row without the condition, and it may fail on such a row.
    const isKnown = where !== null && (isFinal || !namesRowid(description, where));
    const underCondition = (part: string) => (isKnown ? `CASE WHEN ${where} THEN ${part} END` : part);
    const equal = index.columns.map(({ name, collation }, place) =>
      name === null
        ? // The same expression on the new row: the names in it refer to the columns of either row.
          `(${parts[place]}) = ${newRow.result(underCondition(parts[place] ?? ''))}`
        : `${quoteName(name)} = ${newRow.cell(name)} COLLATE ${quoteName(collation)}`,
    );
    const taken = where === null ? [] : [`(${where})`, ...(isFinal ? [newRow.result(where)] : [])];
    return [...equal, ...taken].join(' AND ');
  });
  const rowid = description.rowidIsKey ? undefined : rowidName(description);
  return rowid ? [...conditions, `${rowid} = ${value(rowid)}`] : conditions;
}

/** Whether an expression names the rowid, which is not assigned yet before an INSERT. */
function namesRowid({ table, rowidIsKey }: Description, expression: string): boolean {
  const words = wordsIn(expression);
  const alias = rowidIsKey ? table.columns[table.key[0] ?? -1]?.name.toLowerCase() : undefined;
  return ['rowid', '_rowid_', 'oid', alias].some((name) => name !== undefined && words.has(name));
}

/** SQL for a new row's cells, and for the results of expressions on it. */
interface NewRow {
  cell(column: string): string;
  result(expression: string): string;
}

/**
 * Generated columns are computed here: a trigger's row has them before NULL is replaced by a default, and without the
 * columns that no trigger names; a row that arrives does not have them at all.
 */
function newRowOf(session: Session, { table }: Description, value: (column: string) => string): NewRow {
  const isComputed = table.columns.some(({ generated }) => generated);
  const generated = isComputed ? generatedExpressions(tableSql(session, table.name)) : new Map<string, string>();
  /** @param outer the generated columns that contain it: their names within are texts */
  const cell = (name: string, outer: readonly string[]): string => {
    const column = table.columns.find((one) => one.name === name);
    const expression = generated.get(name.toLowerCase());
    if (!column || expression === undefined) return value(name);
    return storedIn({ column, value: result(expression, [...outer, name]) });
  };
  // Only columns that the expression names: a trigger that names a column prevents users from dropping it.
  const result = (expression: string, outer: readonly string[]): string => {
    const words = wordsIn(expression);
    const used = table.columns.filter(({ name }) => words.has(name.toLowerCase()) && !outer.includes(name));
    const row = used.map((column) => ({ column, value: cell(column.name, outer) }));
    return resultOn(row, expression);
  };
  return { cell: (column) => cell(column, []), result: (expression) => result(expression, []) };
}

function sqlOf(
  session: Session,
  table: string,
  index: UniqueIndex,
): { parts: readonly string[]; where: string | null } {
  const isPlain = !index.partial && index.columns.every(({ name }) => name !== null);
  if (isPlain) return { parts: [], where: null };
  const statements = [table, index.name].map((name) => createdBy(session, name));
  return indexSql(singleQuoted(statements)[1] ?? '');
}

function tableSql(session: Session, table: string): string {
  return singleQuoted([createdBy(session, table)])[0] ?? '';
}

/** The statement that created a table or an index. A trigger may have the same name. */
function createdBy(session: Session, name: string): string {
  const [sql] = session.row("SELECT sql FROM sqlite_schema WHERE name = ? AND type IN ('table', 'index')", name) ?? [];
  return String(sql);
}
