import type pg from 'pg';
import type { Named } from '../../sink.ts';
import { quoteNames, quoteTable } from '../../sql/names.ts';
import { askRow } from './sessions.ts';

/** Whether any row of a table has a value in one of these columns; a composite of NULLs is one. @throws EngineError */
export async function hasValues(session: pg.ClientBase, table: Named, columns: readonly string[]): Promise<boolean> {
  const [answer] = await askRow(
    session,
    `SELECT EXISTS (SELECT FROM ${quoteTable(table)} WHERE num_nonnulls(${quoteNames(columns)}) > 0)`,
  );
  return answer === 't';
}
