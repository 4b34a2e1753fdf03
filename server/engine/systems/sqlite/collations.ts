import { DatabaseSync } from 'node:sqlite';
import { quoteName } from '../../sql/names.ts';
import { Session } from './connect.ts';

/**
 * The collation that each column of a table was declared with. SQLite reports only those of indexes, so the table is
 * recreated in memory, with an index on each column.
 * @param table its name
 * @param sql the statement that created it
 * @param columns their names
 * @returns by column, in upper case; without columns whose collation only the application knows
 */
export function declaredCollations(
  table: string,
  sql: string,
  columns: readonly string[],
): ReadonlyMap<string, string> {
  if (!/\bcollate\b/i.test(sql)) return new Map(columns.map((column) => [column, 'BINARY']));
  const database = new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true, defensive: true });
  try {
    const session = new Session(database);
    session.run(sql);
    return new Map(columns.flatMap((column) => collationOf(session, table, column)));
  } catch {
    // A check or a default uses a function that only the application knows.
    return new Map();
  } finally {
    database.close();
  }
}

function collationOf(session: Session, table: string, column: string): [string, string][] {
  try {
    session.run(`CREATE INDEX of_column ON ${quoteName(table)} (${quoteName(column)})`);
  } catch {
    // The collation is the application's own.
    return [];
  }
  const [collation] = session.row("SELECT coll FROM pragma_index_xinfo('of_column') WHERE key") ?? [];
  session.run('DROP INDEX of_column');
  return [[column, String(collation).toUpperCase()]];
}
