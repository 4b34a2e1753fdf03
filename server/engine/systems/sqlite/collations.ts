import { DatabaseSync } from 'node:sqlite';
import { quoteName, quoteNames } from '../../sql/names.ts';

/** The collations that every connection has. */
const known: readonly string[] = ['BINARY', 'NOCASE', 'RTRIM'];

/**
 * The collation that each column of a table was declared with. SQLite reports only those of indexes, so a schema in
 * memory gets the table with an index on its columns. Both are stored as they are, not created: what is stored may use
 * strings in double quotes, and functions and collations that only the application knows.
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
  const memory = new DatabaseSync(':memory:', { defensive: false });
  // No table has this name, since it is the table's with a space.
  const index = `${table} `;
  try {
    memory.exec('CREATE TABLE a (b); CREATE TABLE c (d); PRAGMA writable_schema = ON');
    const store = memory.prepare('UPDATE sqlite_schema SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE rowid = ?');
    store.run('table', table, table, sql, 1);
    const indexSql = `CREATE INDEX ${quoteName(index)} ON ${quoteName(table)} (${quoteNames(columns)})`;
    store.run('index', index, table, indexSql, 2);
    memory.exec('PRAGMA writable_schema = RESET');
    const parts = memory
      .prepare('SELECT name, upper(coll) AS collation FROM pragma_index_xinfo(?) WHERE key')
      .all(index);
    return new Map(
      parts
        .map(({ name, collation }): [string, string] => [String(name), String(collation)])
        .filter(([, collation]) => known.includes(collation)),
    );
  } catch {
    // SQLite cannot read its own statement here: no column counts as compared as it was declared.
    return new Map();
  } finally {
    memory.close();
  }
}
