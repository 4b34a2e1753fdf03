import pg from 'pg';
import type { Statement } from '../../sink.ts';
import { quoteName, quoteTable } from '../../sql/names.ts';
import { alreadyExists } from './already-exists.ts';
import { findMade, toldByWhom } from './existing-objects.ts';
import { dropUnfinished, namedSteps } from './index-names.ts';

/**
 * Creates structure; what already exists stays as it is.
 * @returns whether it changed anything
 */
export async function runStatement(session: pg.ClientBase, statement: Statement): Promise<boolean> {
  let isChanged = false;
  const { named } = statement;
  const steps = await toldByWhom(session, named ? [named] : [], namedSteps(session, statement));
  for (const step of steps) {
    try {
      isChanged = (await runStep(session, statement, step)) || isChanged;
    } catch (error) {
      if (isChanged && isViolated(error)) await dropUnvalidated(session, statement);
      throw error;
    }
  }
  return isChanged;
}

/** A constraint that target rows violate is dropped again: it would hold only for new rows, and no one would notice. */
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
    // No row: the sequence was not behind and was left as it is.
    return command !== 'SELECT' || rowCount !== 0;
  } catch (error) {
    if (alreadyExists(error) || (kind === 'partition' && isCutOtherwise(error))) return false;
    // Reported before the name is checked: the key that the table now has may be this one.
    if (kind === 'key' && isSecondKey(error) && (await findMade(session, [statement]))[0]) return false;
    throw error;
  }
}

/** Waits for open transactions, however long they take: only sessions that alter the table wait behind it. */
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
    // If it cannot be dropped because the session is gone, the next try does so; the first error is the one reported.
    await dropUnfinished(session, named).catch(() => undefined);
    throw error;
  }
  await session.query('RESET lock_timeout');
  return true;
}

/** Existing rows violate the constraint. */
function isViolated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && error.code.startsWith('23');
}

function isSecondKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P16';
}

/**
 * The target table has partitions of another kind, with other bounds, or a default one with these rows; rows go there.
 */
function isCutOtherwise(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['42P16', '42P17', '23514'].includes(error.code ?? '');
}
