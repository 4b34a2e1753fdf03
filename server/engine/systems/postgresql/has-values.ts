import pg from 'pg';
import type { Named } from '../../sink.ts';
import { quoteNames, quoteTable } from '../../sql/names.ts';
import { askRow } from './sessions.ts';

/** The comparison of every table's catalogue waits for the answer. */
const mostSeconds = 60;
const cancelled = '57014';

/**
 * Whether any row of a table has a value in one of these columns; true also if that cannot be found out within a
 * minute. A composite of NULLs is a value. @throws EngineError
 */
export async function hasValues(session: pg.ClientBase, table: Named, columns: readonly string[]): Promise<boolean> {
  await session.query(`BEGIN; SET LOCAL statement_timeout = '${mostSeconds}s'`);
  try {
    const [answer] = await askRow(
      session,
      `SELECT EXISTS (SELECT FROM ${quoteTable(table)} WHERE num_nonnulls(${quoteNames(columns)}) > 0)`,
    );
    await session.query('COMMIT');
    return answer === 't';
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== cancelled) throw error;
    await session.query('ROLLBACK');
    return true;
  }
}
