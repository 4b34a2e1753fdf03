import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

/** Each row that makes room for another asks for the texts of its table's indexes. */
const known = new LRUCache<string, readonly string[]>({ max: 500 });

/**
 * The statements that make a table and its indexes, with every text in single quotes. SQLite lets a program have texts in
 * double quotes; in our connections, as in many, such a text is the name of a column.
 * @param statements that of the table first; as they are where no connection of ours can run them
 */
export function singleQuoted(statements: readonly string[]): readonly string[] {
  if (!statements.some((sql) => sql.includes('"'))) return statements;
  const key = statements.join('\n');
  const written = known.get(key) ?? writeAnew(statements);
  known.set(key, written);
  return written;
}

function writeAnew(statements: readonly string[]): readonly string[] {
  const memory = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  try {
    // SQLite itself writes the texts of all statements anew when any column gets another name.
    for (const sql of [...statements, 'CREATE TABLE "millrace " (a)', 'ALTER TABLE "millrace " RENAME a TO b'])
      memory.exec(sql);
    // Without what it adds itself, as for AUTOINCREMENT.
    const written = memory
      .prepare("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
      .all();
    return written.slice(0, statements.length).map(({ sql }) => String(sql));
  } catch {
    // A function or a collation that the application alone has: whoever needs the statement is told.
    return statements;
  } finally {
    memory.close();
  }
}
