import { DatabaseSync } from 'node:sqlite';
import { quoteName, quoteNames } from '../../sql/names.ts';
import type { Table } from '../../table.ts';

/** A condition in parentheses, on lines of its own, so that a comment at its end takes nothing with it. */
export function inParentheses(condition: string): string {
  return `(\n${condition}\n)`;
}

/**
 * Why a condition cannot be a filter; undefined where it can. It is tried in memory, on an empty table with the same
 * columns: as the condition of an index it has to be deterministic and to see its own row alone. A text that fits both
 * into CASE and into parentheses is one expression: what leaves the one does not fit the other.
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
    // Whether a function looks at the clock is found out when it is called.
    memory.prepare(`INSERT INTO filtered (${quoteNames(names)}) VALUES (${names.map(() => 'NULL').join(', ')})`).run();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // It speaks of the condition alone: there is no row but an empty one.
    return `SQLite says: ${error.message}.`;
  } finally {
    memory.close();
  }
}
