import { DatabaseSync } from 'node:sqlite';
import { literal } from './literal.ts';
import { unquoted } from './sql-pieces.ts';

/**
 * A column default as an expression that every application understands.
 * @param sql as `dflt_value` contains it; a name stands for its text, in quotes or not
 */
export function defaultValue(sql: string): string {
  const memory = new DatabaseSync(':memory:');
  try {
    memory.prepare(`SELECT (${sql})`);
    return `(${sql})`;
  } catch {
    return literal(unquoted(sql));
  } finally {
    memory.close();
  }
}
