import pg from 'pg';
import type { Statement } from '../../sink.ts';
import { quoteName, quoteTable } from '../../sql/names.ts';
import { isThereAlready } from './already-there.ts';
import { dropUnfinished, namedSteps } from './index-names.ts';
import { findMade } from './made.ts';

/**
 * Makes structure; what is there already stays as it is.
 * @returns whether it changed anything
 */
export async function runStatement(session: pg.ClientBase, statement: Statement): Promise<boolean> {
  let isChanged = false;
  for (const step of await namedSteps(session, statement)) {
    try {
      isChanged = (await runStep(session, statement, step)) || isChanged;
    } catch (error) {
      if (isChanged && isViolated(error)) await dropUnvalidated(session, statement);
      throw error;
    }
  }
  return isChanged;
}

/** A constraint that rows of the target do not meet goes as it came: it would hold for new rows alone, and nobody would know. */
async function dropUnvalidated(session: pg.ClientBase, { makes }: Statement): Promise<void> {
  if (makes?.kind !== 'validated' || makes.table === undefined) return;
  const table = quoteTable({ schema: makes.schema, name: makes.table });
  await session.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${quoteName(makes.name)}`);
}

async function runStep(session: pg.ClientBase, statement: Statement, sql: string): Promise<boolean> {
  const { kind, named } = statement;
  if (named && sql.includes(' INDEX CONCURRENTLY ')) return await makeBesideWriters(session, named, sql);
  try {
    const { command, rowCount } = await session.query(sql);
    // A sequence that is not behind is left as it is.
    return command !== 'SELECT' || rowCount !== 0;
  } catch (error) {
    if (isThereAlready(error) || (kind === 'partition' && isCutOtherwise(error))) return false;
    // Told before its name is looked at: the key that the table has by now may be this one.
    if (kind === 'key' && isSecondKey(error) && (await findMade(session, [statement]))[0]) return false;
    throw error;
  }
}

/** Waits for transactions that are open, however long they are: only who alters the table waits behind it. */
async function makeBesideWriters(
  session: pg.ClientBase,
  named: NonNullable<Statement['named']>,
  sql: string,
): Promise<boolean> {
  await dropUnfinished(session, named);
  await session.query('SET lock_timeout = 0');
  try {
    await session.query(sql);
  } catch (error) {
    // Where it cannot be dropped, since the session is gone, the next try does that; the error that came first is told.
    await dropUnfinished(session, named).catch(() => undefined);
    throw error;
  }
  await session.query('RESET lock_timeout');
  return true;
}

/** Rows that are there do not meet it. */
function isViolated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && error.code.startsWith('23');
}

function isSecondKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P16';
}

/** The target's table has partitions of another kind, with other bounds, or a default one with these rows; its rows go there. */
function isCutOtherwise(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['42P16', '42P17', '23514'].includes(error.code ?? '');
}
