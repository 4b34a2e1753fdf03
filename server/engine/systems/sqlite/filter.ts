import { DatabaseSync } from 'node:sqlite';
import { quoteName, quoteNames } from '../../sql/names.ts';
import type { Table } from '../../table.ts';

/** A condition in parentheses and on its own lines, so that a trailing comment comments out nothing else. */
export function inParentheses(condition: string): string {
  return `(\n${condition}\n)`;
}

/**
 * Why a condition cannot be a filter; undefined if it can. It is tried in memory, on an empty table with the same
 * columns: as an index condition, it must be deterministic and see only its own row. A text that fits both into CASE
 * and into parentheses is a single expression: text that breaks out of one does not fit the other.
 */
export function filterRefusal({ columns }: Table, condition: string): string | undefined {
  const memory = new DatabaseSync(':memory:');
  try {
    const names = columns.map(({ name }) => name);
    memory.exec(`CREATE TABLE filtered (${names.map((name) => quoteName(name)).join(', ')})`);
    memory.prepare(`SELECT CASE WHEN\n${condition}\nTHEN 1 END FROM filtered`);
    memory.prepare(`SELECT ${inParentheses(condition)} FROM filtered`);
    memory
      .prepare(`CREATE INDEX filter ON filtered (${quoteName(names[0] ?? '')}) WHERE ${inParentheses(condition)}`)
      .run();
    // Whether a function reads the clock only shows when it is called.
    memory.prepare(`INSERT INTO filtered (${quoteNames(names)}) VALUES (${names.map(() => 'NULL').join(', ')})`).run();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The message concerns only the condition: there are no rows except an empty one.
    return `SQLite says: ${error.message}.`;
  } finally {
    memory.close();
  }
}
