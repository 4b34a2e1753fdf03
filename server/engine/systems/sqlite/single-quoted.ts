import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

/** Cached, since each row that makes room for another asks for its table's index statements. */
const known = new LRUCache<string, readonly string[]>({ max: 500 });

/**
 * The statements that create a table and its indexes, with every string in single quotes. SQLite allows a program to
 * write strings in double quotes; in our connections, as in many, those are column names.
 * @param statements the table's first
 * @returns those unchanged that no connection of ours can run
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
    const run = statements.filter((sql) => isRun(memory, sql));
    // SQLite itself rewrites all statements when any column is renamed; an index on a text is one that it refuses then.
    if (!isRun(memory, 'CREATE TABLE "millrace " (a); ALTER TABLE "millrace " RENAME a TO b')) return statements;
    // Without the objects that SQLite adds itself, as for AUTOINCREMENT.
    const written = memory
      .prepare("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
      .all();
    return statements.map((sql) => {
      const one = written[run.indexOf(sql)];
      return one ? String(one.sql) : sql;
    });
  } finally {
    memory.close();
  }
}

function isRun(memory: DatabaseSync, sql: string): boolean {
  try {
    memory.exec(sql);
    return true;
  } catch {
    // It uses what only the application's connections have or allow: running the statement later reports it.
    return false;
  }
}
