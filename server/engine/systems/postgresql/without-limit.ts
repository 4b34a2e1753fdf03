import type pg from 'pg';

/** Longer than any statement, in milliseconds: 0 would mean the session's own limit to pg. */
export const noTimeout = 2 ** 31 - 1;

/**
 * Runs a statement whose time depends on how many rows a table has. The limit of other statements would end it at each
 * try; a server that answers no one is still noticed.
 */
export async function runWithoutLimit(session: pg.ClientBase, text: string, values: unknown[] = []): Promise<void> {
  await session.query('SET LOCAL statement_timeout = 0');
  const query = { text, values, query_timeout: noTimeout };
  await session.query(query);
  await session.query('SET LOCAL statement_timeout TO DEFAULT');
}
